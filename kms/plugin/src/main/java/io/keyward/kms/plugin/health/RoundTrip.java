package io.keyward.kms.plugin.health;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.security.SecureRandom;
import java.time.Duration;

/// The usual probe: a real round trip with random bytes. What it learns reaches the watch through
/// the provider, which is a [WatchedProvider].
public final class RoundTrip implements Prober.Probe {
  private final KmsProvider provider;
  private final KeyWatch watch;

  public RoundTrip(KmsProvider provider, KeyWatch watch) {
    this.provider = provider;
    this.watch = watch;
  }

  @Override
  public void run(Duration timeout) {
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    var dek = new Secret(bytes);
    // The failure of a step counts from the start of that step: one that a later call has overtaken
    // says nothing about the key any more.
    long step = watch.begin();
    try {
      Wrapped wrapped = provider.wrap(dek, timeout);
      step = watch.begin();
      if (!provider.unwrap(wrapped, timeout).equals(dek)) {
        throw new KmsException(Kind.INTERNAL, "the KMS opened a wrapped key to other bytes");
      }
    } catch (KmsException e) {
      // What the watch may not have taken as the KMS's fault is one here: the probe's own
      // ciphertext is fresh, so nobody else can have damaged it.
      if (watch.now().isGood()) {
        watch.failed(step, e);
      }
      throw e;
    }
  }
}
