package io.keyward.kms.aws;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import java.util.function.Supplier;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.auth.credentials.AwsCredentialsProvider;
import software.amazon.awssdk.auth.credentials.AwsSessionCredentials;
import software.amazon.awssdk.core.exception.SdkException;

/// Credentials from the SDK's sources, which can be told to begin anew after AWS has refused them:
/// the SDK itself would keep a revoked session until it ends.
final class RenewableCredentials implements AwsCredentialsProvider {
  private final Supplier<AwsCredentialsProvider> source;
  private volatile AwsCredentialsProvider current;

  RenewableCredentials(Supplier<AwsCredentialsProvider> source) {
    this.source = source;
    this.current = source.get();
  }

  @Override
  public AwsCredentials resolveCredentials() {
    try {
      return current.resolveCredentials();
    } catch (SdkException e) {
      throw new KmsException(
          Kind.UNAVAILABLE,
          "no AWS credentials can be had from the configured source",
          Map.of("cause", e.getClass().getSimpleName()));
    }
  }

  /// Whether there are now other credentials than the ones that were refused. Callers that were
  /// refused together share one renewal.
  synchronized boolean renewedAfter(AwsCredentials refused) {
    if (!same(resolveCredentials(), refused)) {
      return true;
    }
    current = source.get();
    return !same(resolveCredentials(), refused);
  }

  Optional<Instant> until() {
    return resolveCredentials().expirationTime();
  }

  private static boolean same(AwsCredentials a, AwsCredentials b) {
    return a.accessKeyId().equals(b.accessKeyId())
        && a.secretAccessKey().equals(b.secretAccessKey())
        && token(a).equals(token(b));
  }

  private static String token(AwsCredentials credentials) {
    return credentials instanceof AwsSessionCredentials session ? session.sessionToken() : "";
  }
}
