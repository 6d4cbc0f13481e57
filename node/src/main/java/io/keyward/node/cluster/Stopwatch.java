package io.keyward.node.cluster;

import java.time.Duration;
import java.util.function.LongSupplier;

/// How long ago something was, on a clock that nobody can set: a jump of the wall clock must
/// neither end a patience nor make it endless.
public final class Stopwatch {
  private final LongSupplier nanos;
  private long begun;
  private boolean runs;

  /// Does not run yet.
  ///
  /// @param nanos counts up from anywhere
  public Stopwatch(LongSupplier nanos) {
    this.nanos = nanos;
  }

  /// From zero, also where it runs.
  public void start() {
    begun = nanos.getAsLong();
    runs = true;
  }

  public void stop() {
    runs = false;
  }

  public boolean runs() {
    return runs;
  }

  /// False where it does not run.
  public boolean isPast(Duration limit) {
    return runs && nanos.getAsLong() - begun >= limit.toNanos();
  }
}
