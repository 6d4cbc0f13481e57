package io.keyward.kms.plugin.health;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Duration;

/// Tries a key again and again, so that Status is true also when no API server asks for anything.
public final class Prober implements AutoCloseable {
  /// One try. It tells the watch what it learnt.
  @FunctionalInterface
  public interface Probe {
    /// Tries the key once.
    ///
    /// @throws KmsException if the key cannot be used; the watch knows it already
    void run(Duration timeout);
  }

  /// A KMS that was away is asked again sooner: an API server waits for it, and nobody else may
  /// ask. One that refused is not: it may count refusals, and lock the account or the token.
  private static final Duration WHILE_AWAY = Duration.ofSeconds(2);

  private final Probe probe;
  private final Duration timeout;
  private final Thread thread;

  public Prober(String key, Probe probe, Duration interval, Duration timeout) {
    this.probe = probe;
    this.timeout = timeout;
    this.thread = Thread.ofVirtual().name("probe-" + key).unstarted(() -> run(interval));
  }

  public void start() {
    thread.start();
  }

  private void run(Duration interval) {
    try {
      while (true) {
        boolean away = probe();
        Thread.sleep(away && interval.compareTo(WHILE_AWAY) > 0 ? WHILE_AWAY : interval);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// One try, now. The watch is told what came of it, and says it in the log and in Status.
  ///
  /// @return whether the KMS was away
  public boolean probe() {
    try {
      probe.run(timeout);
      return false;
    } catch (KmsException e) {
      return e.kind() == Kind.UNAVAILABLE || e.kind() == Kind.TIMEOUT;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
