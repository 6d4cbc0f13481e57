package io.keyward.node;

import java.time.Duration;
import java.util.function.LongSupplier;

/// How long ago something was, on a clock that nobody can set: a jump of the wall clock must
/// neither end a patience nor make it endless.
final class Stopwatch {
  private final LongSupplier nanos;
  private long begun;
  private boolean runs;

  /// Does not run yet.
  ///
  /// @param nanos counts up from anywhere
  Stopwatch(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// From zero, also where it runs.
  void start() {
    begun = nanos.getAsLong();
    runs = true;
  }

  void stop() {
    runs = false;
  }

  boolean runs() {
    return runs;
  }

  /// False where it does not run.
  boolean isPast(Duration limit) {
    return runs && nanos.getAsLong() - begun >= limit.toNanos();
  }
}
