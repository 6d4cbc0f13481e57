package io.keyward.kms.vault;

import java.time.Duration;

/// The moment at which a call must be over.
record Deadline(long nanoTime) {
  /// A little earlier than the time-out: an answer that says so must still get back in time.
  static Deadline after(Duration timeout) {
    return new Deadline(System.nanoTime() + timeout.minus(timeout.dividedBy(50)).toNanos());
  }

  /// At least a moment, since no time at all is no valid time-out.
  Duration left() {
    return Duration.ofNanos(Math.max(1_000_000, nanoTime - System.nanoTime()));
  }

  boolean isOver() {
    return nanoTime - System.nanoTime() <= 0;
  }
}
