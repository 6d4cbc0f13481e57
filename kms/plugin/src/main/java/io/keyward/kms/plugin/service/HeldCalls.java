package io.keyward.kms.plugin.service;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;

/// Decides whether it pays to stay awake for a call: only for one that is alone, since others would
/// wait for the event loop meanwhile; and only where calls are shorter than two changes of threads.
/// Calls to most HSMs are not.
final class HeldCalls {
  private static final long SHORT = 400_000;
  private static final long LONGEST_WAIT = 500_000;
  private static final int INERTIA = 8;

  private final AtomicInteger running = new AtomicInteger();

  /// What a call takes, with the change to its thread.
  private final AtomicLong usual = new AtomicLong();

  /// A call begins.
  ///
  /// @return for how many nanoseconds to stay awake for it
  long begin() {
    return running.getAndIncrement() == 0 && usual.get() < SHORT ? LONGEST_WAIT : 0;
  }

  void end(long nanos) {
    running.decrementAndGet();
    // Machines stall now and then: one long call says little about the next.
    long bounded = Math.min(nanos, 2 * SHORT);
    usual.accumulateAndGet(bounded, (before, now) -> before + (now - before) / INERTIA);
  }
}
