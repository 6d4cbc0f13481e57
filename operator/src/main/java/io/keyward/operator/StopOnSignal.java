package io.keyward.operator;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// On a signal, interrupts a thread and keeps the process until the thread has finished. A leader
/// thus releases its lease, and the next one need not wait until the lease expires.
final class StopOnSignal implements AutoCloseable {
  /// Shorter than the grace period of a pod.
  private static final Duration LONGEST_STOP = Duration.ofSeconds(15);

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;

  private StopOnSignal(Thread working) {
    hook = new Thread(() -> stop(working), "release leadership");
  }

  /// For the calling thread, until it closes this.
  static StopOnSignal install() {
    var stop = new StopOnSignal(Thread.currentThread());
    Runtime.getRuntime().addShutdownHook(stop.hook);
    return stop;
  }

  private void stop(Thread working) {
    working.interrupt();
    try {
      var _ = finished.await(LONGEST_STOP.toMillis(), TimeUnit.MILLISECONDS);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

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
