package io.keyward.kms.pkcs11;

import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.security.ProviderException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// A key of an HSM, in all its versions. How one of them wraps is said by [HsmKey].
final class Pkcs11Provider implements KmsProvider {
  static final String NAME = "pkcs11";

  private final HsmAccess access;

  Pkcs11Provider(Pkcs11Settings settings, RefusedPins refused) {
    this.access = new HsmAccess(settings, refused);
  }

  @Override
  public Wrapped wrap(Secret dek, Duration timeout) {
    return access.call(timeout, Optional.empty(), wrapping(dek));
  }

  private static Use<Wrapped> wrapping(Secret dek) {
    return session -> newest(session).wrap(dek);
  }

  private static HsmKey newest(HsmSession session) {
    return session
        .newest()
        .orElseThrow(() ->
            new KmsException(Kind.UNKNOWN_KEK, "the token has no AES key with this label or id"));
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    return access.call(timeout, Optional.of(wrapped.kek()), unwrapping(wrapped));
  }

  private static Use<Secret> unwrapping(Wrapped wrapped) {
    return session -> key(wrapped, session).unwrap(wrapped);
  }

  @Override
  public Optional<BlockingCalls> blockingCalls() {
    return Optional.of(new BlockingCalls(new InCallersThread(), access.threads()));
  }

  /// Calls without a limit of time.
  private final class InCallersThread implements KmsProvider {
    @Override
    public Wrapped wrap(Secret dek, Duration timeout) {
      return access.callHere(Optional.empty(), wrapping(dek));
    }

    @Override
    public Secret unwrap(Wrapped wrapped, Duration timeout) {
      return access.callHere(Optional.of(wrapped.kek()), unwrapping(wrapped));
    }

    @Override
    public KekReport report(Duration timeout) {
      return Pkcs11Provider.this.report(timeout);
    }

    @Override
    public boolean blocks() {
      return true;
    }

    @Override
    public void close() {
      Pkcs11Provider.this.close();
    }
  }

  private static HsmKey key(Wrapped wrapped, HsmSession session) {
    return session
        .key(wrapped.kek())
        .orElseThrow(() ->
            new KmsException(
                Kind.UNKNOWN_KEK,
                "the token has no key version with this key_id",
                Map.of("key_id", wrapped.kek().value())));
  }

  /// PKCS#11 knows no disabled keys and no expiry that modules keep to.
  @Override
  public KekReport report(Duration timeout) {
    int versions = access.call(timeout, Optional.empty(), HsmSession::versions);
    KekReport.State state = versions > 0 ? KekReport.State.ENABLED : KekReport.State.UNKNOWN;
    return new KekReport(state, Optional.empty(), Optional.empty(), List.of());
  }

  @Override
  public boolean blocks() {
    return true;
  }

  @Override
  public void close() {
    access.close();
  }

  /// Looks for new versions now.
  void refresh() {
    access.refresh();
  }

  /// What the provider does with a session.
  interface Use<T> {
    T with(HsmSession session) throws ProviderException;
  }
}
