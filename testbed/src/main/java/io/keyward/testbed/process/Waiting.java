package io.keyward.testbed.process;

import java.time.Duration;
import java.util.function.BooleanSupplier;

/// Polls for what the outside world does not announce.
public final class Waiting {
  private static final Duration STEP = Duration.ofMillis(100);

  private Waiting() {}

  /// Whether `condition` came true in time. An interrupt ends the wait early.
  public static boolean until(BooleanSupplier condition, Duration limit) {
    long end = System.nanoTime() + limit.toNanos();
    while (!condition.getAsBoolean()) {
      if (System.nanoTime() - end >= 0 || !pause()) {
        return condition.getAsBoolean();
      }
    }
    return true;
  }

  private static boolean pause() {
    try {
      Thread.sleep(STEP);
      return true;
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return false;
    }
  }
}
