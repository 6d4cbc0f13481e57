package io.keyward.serve;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// On a signal, interrupts a thread and keeps the process until the thread has finished; then the
/// process exits with 0. A leader thus releases its lease, and the next one need not wait until the
/// lease expires.
public final class StopOnSignal implements AutoCloseable {
  /// Shorter than the grace period of a pod.
  private static final Duration LONGEST_STOP = Duration.ofSeconds(10);

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;

  private StopOnSignal(Thread working) {
    hook = new Thread(() -> stop(working), "stop");
  }

  /// For the calling thread, until it closes this.
  public static StopOnSignal install() {
    var stop = new StopOnSignal(Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(stop.hook);
    return stop;
  }

  /// Without the last line the JVM would report the signal as a failure (exit code 143), and a
  /// service manager would take a normal stop for a crash.
  private void stop(Thread working) {
    working.interrupt();
    try {
      var _ = finished.await(LONGEST_STOP.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    Runtime.getRuntime().halt(0);
  }

  /// The thread has finished. If it failed by itself, its exit code counts.
  @Override
  public void close() {
    finished.countDown();
    try {
      Runtime.getRuntime().removeShutdownHook(hook);
    } catch (IllegalStateException _) {
      // The process is stopping, and the hook runs already.
    }
  }
}
