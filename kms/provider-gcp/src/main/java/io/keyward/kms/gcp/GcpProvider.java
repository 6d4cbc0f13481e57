package io.keyward.kms.gcp;

import com.google.api.gax.rpc.StatusCode.Code;
import com.google.cloud.kms.v1.CryptoKey;
import com.google.cloud.kms.v1.CryptoKeyVersion;
import com.google.cloud.kms.v1.DecryptRequest;
import com.google.cloud.kms.v1.DecryptResponse;
import com.google.cloud.kms.v1.EncryptRequest;
import com.google.cloud.kms.v1.EncryptResponse;
import com.google.protobuf.ByteString;
import io.keyward.kms.remote.Deadline;
import io.keyward.kms.remote.Envelope;
import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KekReport.State;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.function.Supplier;

/// Wraps with the primary version of a key of Cloud KMS: one call for each wrap and unwrap. The
/// encrypt answer says which version was primary. Checksums go with every call, both ways.
final class GcpProvider implements KmsProvider {
  private final CloudKey key;
  private final String host;
  private final CloudKms kms;
  private final FreshCredentials credentials;
  private final SecureRandom random = new SecureRandom();

  GcpProvider(CloudKey key, String host, CloudKms kms, FreshCredentials credentials) {
    this.key = key;
    this.host = host;
    this.kms = kms;
    this.credentials = credentials;
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    Secret oneTimeKey = Envelope.newOneTimeKey(random);
    ByteString plain = ByteString.copyFrom(oneTimeKey.reveal());
    ByteString additional = key.additionalData();
    var request =
        EncryptRequest.newBuilder()
            .setName(key.name())
            .setPlaintext(plain)
            .setPlaintextCrc32C(Checksum.of(plain))
            .setAdditionalAuthenticatedData(additional)
            .setAdditionalAuthenticatedDataCrc32C(Checksum.of(additional))
            .build();
    EncryptResponse answer = bounded(timeout, false, end -> kms.encrypt(request, end));
    Checksum.check(
        answer.getVerifiedPlaintextCrc32C()
            && answer.getVerifiedAdditionalAuthenticatedDataCrc32C()
            && Checksum.of(answer.getCiphertext()).equals(answer.getCiphertextCrc32C()));
    String version = key.versionIn(answer.getName());
    return Envelope.seal(key.kek(), version, answer.getCiphertext().toByteArray(), oneTimeKey, dek);
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    Envelope envelope = Envelope.read(wrapped);
    envelope.check(key.kek(), wrapped);
    ByteString sealed = ByteString.copyFrom(envelope.wrappedKey());
    ByteString additional = key.additionalData();
    var request =
        DecryptRequest.newBuilder()
            .setName(key.name()) // from the configuration, whatever etcd says
            .setCiphertext(sealed)
            .setCiphertextCrc32C(Checksum.of(sealed))
            .setAdditionalAuthenticatedData(additional)
            .setAdditionalAuthenticatedDataCrc32C(Checksum.of(additional))
            .build();
    DecryptResponse answer = bounded(timeout, true, end -> kms.decrypt(request, end));
    Checksum.check(Checksum.of(answer.getPlaintext()).equals(answer.getPlaintextCrc32C()));
    return envelope.open(wrapped, new Secret(answer.getPlaintext().toByteArray()));
  }

  private interface Call<T> {
    T run(Deadline deadline);
  }

  private <T> T bounded(Duration timeout, boolean unwrapping, Call<T> call) {
    Deadline deadline = Deadline.after(timeout);
    Supplier<T> work =
        () -> {
          try {
            return call.run(deadline);
          } catch (RuntimeException e) {
            throw CloudFailure.explain(e, host, unwrapping);
          }
        };
    return deadline.run(work);
  }

  @Override
  public KekReport report(Duration timeout) {
    return bounded(
        timeout,
        false,
        end -> {
          try {
            return report(kms.key(key.name(), end));
          } catch (RuntimeException e) {
            if (CloudFailure.code(e) != Code.PERMISSION_DENIED) {
              throw e;
            }
            return new KekReport(
                State.UNKNOWN,
                Optional.empty(),
                credentials.until(),
                List.of("the state of the key may not be read: grant roles/cloudkms.viewer on it"));
          }
        });
  }

  private KekReport report(CryptoKey found) {
    CryptoKeyVersion primary = found.getPrimary();
    State state =
        switch (primary.getState()) {
          case ENABLED -> State.ENABLED;
          case DISABLED -> State.DISABLED;
          case DESTROY_SCHEDULED, DESTROYED -> State.PENDING_DELETION;
          default -> State.UNKNOWN;
        };
    Optional<Instant> end =
        primary.hasDestroyTime()
            ? Optional.of(Instant.ofEpochSecond(primary.getDestroyTime().getSeconds()))
            : Optional.empty();
    List<String> warnings =
        found.getPurpose() == CryptoKey.CryptoKeyPurpose.ENCRYPT_DECRYPT
            ? List.of()
            : List.of("the purpose of the key is not ENCRYPT_DECRYPT: make another key");
    return new KekReport(state, end, credentials.until(), warnings);
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public void close() {
    kms.close();
  }
}
