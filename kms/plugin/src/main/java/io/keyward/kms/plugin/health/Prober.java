package io.keyward.kms.plugin.health;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.security.SecureRandom;
import java.time.Duration;

/// Tries a key again and again, so that Status is true also when no API server asks for anything.
///
/// A probe is a real round trip with random bytes. What it learns reaches the watch through the
/// provider, which is a [WatchedProvider].
public final class Prober implements AutoCloseable {
  private final KmsProvider provider;
  private final KeyWatch watch;
  private final Duration timeout;
  private final Thread thread;

  public Prober(
      String key, KmsProvider provider, KeyWatch watch, Duration interval, Duration timeout) {
    this.provider = provider;
    this.watch = watch;
    this.timeout = timeout;
    this.thread = Thread.ofVirtual().name("probe-" + key).unstarted(() -> run(interval));
  }

  public void start() {
    thread.start();
  }

  private void run(Duration interval) {
    try {
      while (true) {
        probe();
        Thread.sleep(interval);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// One round trip, now.
  public void probe() {
    var bytes = new byte[32];
    new SecureRandom().nextBytes(bytes);
    var dek = new Secret(bytes);
    try {
      Wrapped wrapped = provider.wrap(dek, timeout);
      if (!provider.unwrap(wrapped, timeout).equals(dek)) {
        var lie = new KmsException(Kind.INTERNAL, "the KMS opened a wrapped key to other bytes");
        watch.failed(watch.begin(), lie);
      }
    } catch (KmsException e) {
      // What the watch may not have taken as the KMS's fault is one here: the probe's own
      // ciphertext is fresh, so nobody else can have damaged it.
      if (watch.now().isGood()) {
        watch.failed(watch.begin(), e);
      }
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
