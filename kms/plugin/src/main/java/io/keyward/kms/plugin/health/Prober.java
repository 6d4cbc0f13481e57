package io.keyward.kms.plugin.health;

import io.keyward.kms.spi.KmsException;
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

  /// A key that failed is tried again sooner: an API server waits for it, and nobody else may ask.
  private static final Duration AFTER_FAILURE = Duration.ofSeconds(2);

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
        boolean good = probe();
        Thread.sleep(good || interval.compareTo(AFTER_FAILURE) < 0 ? interval : AFTER_FAILURE);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// One try, now. The watch is told what came of it, and says it in the log and in Status.
  ///
  /// @return whether the key could be used
  public boolean probe() {
    try {
      probe.run(timeout);
      return true;
    } catch (KmsException e) {
      return false;
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
