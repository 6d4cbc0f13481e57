package io.keyward.kms.aws;

import io.keyward.kms.remote.Deadline;
import io.keyward.kms.spi.KmsException;
import java.time.Duration;
import java.util.function.Function;
import software.amazon.awssdk.auth.credentials.AwsCredentials;
import software.amazon.awssdk.core.exception.SdkException;
import software.amazon.awssdk.services.kms.KmsClient;

/// AWS KMS in one region: makes one call at a time for its caller, and says what went wrong.
final class AwsRegion implements AutoCloseable {
  private final String name;
  private final KmsClient client;
  private final RenewableCredentials credentials;
  private final ThrottleBackoff pace = new ThrottleBackoff(System::nanoTime);

  AwsRegion(String name, KmsClient client, RenewableCredentials credentials) {
    this.name = name;
    this.client = client;
    this.credentials = credentials;
  }

  String name() {
    return name;
  }

  <T> T call(String action, Duration timeout, Function<KmsClient, T> request) {
    // The SDK's own limits leave some waits out: name resolution, credentials.
    return Deadline.after(timeout)
        .run(() -> {
          pace.awaitTurn(timeout);
          return withCredentials(action, request);
        });
  }

  private <T> T withCredentials(String action, Function<KmsClient, T> request) {
    AwsCredentials used = credentials.resolveCredentials();
    try {
      return once(request);
    } catch (SdkException e) {
      if (!AwsFailure.isAboutCredentials(e) || !credentials.renewedAfter(used)) {
        throw failure(action, e);
      }
    }
    try {
      return once(request);
    } catch (SdkException e) {
      throw failure(action, e);
    }
  }

  private <T> T once(Function<KmsClient, T> request) {
    T answer = request.apply(client);
    pace.worked();
    return answer;
  }

  private KmsException failure(String action, SdkException e) {
    KmsException failure = AwsFailure.of(action, e);
    if (failure.kind() == KmsException.Kind.THROTTLED) {
      pace.throttled();
    }
    return failure;
  }

  @Override
  public void close() {
    client.close();
  }
}
