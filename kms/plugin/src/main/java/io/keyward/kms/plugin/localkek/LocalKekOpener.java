package io.keyward.kms.plugin.localkek;

import io.keyward.kms.plugin.call.CachedDecrypt;
import io.keyward.kms.plugin.call.DelegatingProvider;
import io.keyward.kms.plugin.call.SecretMemory;
import io.keyward.kms.plugin.call.WrappedDigest;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Opens what lies under a local KEK, of this node or of any other, and leaves the rest to the KMS.
///
/// It stands before every key, also where no local KEK is made: what was stored while one was must
/// stay readable when the setting is gone.
public final class LocalKekOpener extends DelegatingProvider implements CachedDecrypt {
  /// More than years of nodes and weeks give. A KEK that was dropped costs one call to the KMS.
  private static final int MAX_OPEN = 1_000;

  /// How long a KEK that the KMS has opened is used before the KMS is asked again. So it is also
  /// how long a KEK that was taken away still opens DEKs.
  private static final Duration OPEN_FOR = Duration.ofHours(1);

  private final SecretMemory open;

  public LocalKekOpener(KmsProvider provider, LongSupplier nanos) {
    super(provider);
    this.open = new SecretMemory(MAX_OPEN, OPEN_FOR, nanos);
  }

  @Override
  public Secret unwrap(Wrapped wrapped, Duration timeout) {
    Optional<Wrapped> kek = LocalSeal.kekOf(wrapped);
    return kek.isEmpty()
        ? provider.unwrap(wrapped, timeout)
        : LocalSeal.open(opened(kek.get(), timeout), wrapped);
  }

  private Secret opened(Wrapped kek, Duration timeout) {
    var name = WrappedDigest.of(kek);
    return open.find(name)
        .orElseGet(() -> {
          Secret found = provider.unwrap(kek, timeout);
          open.keep(name, found);
          return found;
        });
  }

  /// Takes in a KEK that the KMS has just wrapped and opened again.
  void learn(Wrapped wrapped, Secret kek) {
    open.keep(WrappedDigest.of(wrapped), kek);
  }

  @Override
  public Optional<Secret> recall(Wrapped wrapped) {
    return LocalSeal.kekOf(wrapped)
        .flatMap(kek -> open.find(WrappedDigest.of(kek)))
        .map(kek -> LocalSeal.open(kek, wrapped));
  }

  /// Drops what was open for too long.
  public void sweep() {
    open.sweep();
  }

  /// Drops every KEK, so that the KMS is asked again for each.
  public void forget() {
    open.clear();
  }

  @Override
  public void close() {
    open.clear();
    provider.close();
  }
}
