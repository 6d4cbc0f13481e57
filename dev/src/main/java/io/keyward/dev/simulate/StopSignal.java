package io.keyward.dev.simulate;

import io.keyward.cli.ExitCode;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;

/// Lets a run that is told to stop with Ctrl-C or SIGTERM finish its lives, write its result and
/// exit with the code for what it saw.
final class StopSignal implements AutoCloseable {
  /// A life takes milliseconds.
  private static final long PATIENCE_SECONDS = 30;

  private final CountDownLatch finished = new CountDownLatch(1);
  private final Thread hook;
  private volatile int exitCode = ExitCode.FAILED;
  private volatile boolean isReceived;

  StopSignal(Runnable stop) {
    this.hook =
        new Thread(() -> {
          isReceived = true;
          stop.run();
          await();
          // The signal would set another code.
          Runtime.getRuntime().halt(exitCode);
        });
    Runtime.getRuntime().addShutdownHook(hook);
  }

  private void await() {
    try {
      if (!finished.await(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
        exitCode = ExitCode.FAILED;
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  boolean isReceived() {
    return isReceived;
  }

  /// Everything is written.
  void finish(int code) {
    exitCode = code;
    finished.countDown();
  }

  @Override
  public void close() {
    finished.countDown();
    if (!isReceived) {
      try {
        Runtime.getRuntime().removeShutdownHook(hook);
      } catch (IllegalStateException _) {
        // The signal came just now: the hook exits with the code that was set.
      }
    }
  }
}
