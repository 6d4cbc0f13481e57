package io.keyward.kms.vault;

import java.time.Duration;

/// The moment at which a call must be over.
record Deadline(long nanoTime) {
  static Deadline after(Duration timeout) {
    return new Deadline(System.nanoTime() + timeout.toNanos());
  }

  /// At least a moment, since no time at all is no valid time-out.
  Duration left() {
    return Duration.ofNanos(Math.max(1_000_000, nanoTime - System.nanoTime()));
  }

  boolean isOver() {
    return nanoTime - System.nanoTime() <= 0;
  }
}
