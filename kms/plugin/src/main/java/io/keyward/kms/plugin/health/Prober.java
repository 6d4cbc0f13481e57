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
        probe();
        Thread.sleep(interval);
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// One try, now.
  public void probe() {
    try {
      probe.run(timeout);
    } catch (KmsException e) {
      // The watch has been told, and says it in the log and in Status.
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
