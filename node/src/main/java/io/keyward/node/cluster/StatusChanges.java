package io.keyward.node.cluster;

import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.BooleanSupplier;
import java.util.function.LongSupplier;

/// Whether what the cluster wants of a node must be read again: when it changed, and now and then.
/// While nobody watches, always.
public final class StatusChanges {
  /// A watch may be dead and not know it.
  private static final Duration AGAIN = Duration.ofSeconds(10);

  private final AtomicBoolean told = new AtomicBoolean(true);
  private final Stopwatch read;
  private volatile BooleanSupplier watched = () -> false;

  /// @param nanos counts up from anywhere
  StatusChanges(LongSupplier nanos) {
    this.read = new Stopwatch(nanos);
  }

  void watchedWhile(BooleanSupplier isWatched) {
    watched = isWatched;
  }

  /// Something changed.
  void tell() {
    told.set(true);
  }

  /// What is done with it.
  interface Step {
    void run(boolean anew) throws InterruptedException;
  }

  /// One that fails has news again the next time.
  void step(Step step) throws InterruptedException {
    boolean done = false;
    try {
      step.run(isDue());
      done = true;
    } finally {
      if (!done) {
        tell();
      }
    }
  }

  /// Asked once for each step; what it says is not said again.
  boolean isDue() {
    boolean due = told.getAndSet(false) || !watched.getAsBoolean() || read.isPast(AGAIN);
    if (due) {
      read.start();
    }
    return due;
  }
}
