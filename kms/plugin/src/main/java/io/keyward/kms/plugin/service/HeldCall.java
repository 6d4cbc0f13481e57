package io.keyward.kms.plugin.service;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Supplier;

/// A call on a thread that it holds until it ends.
///
/// Who handed it over may stay awake for it: to be woken by its end would take longer than the
/// shortest calls do.
final class HeldCall {
  private static final int AWAITED = 0;
  private static final int ENDED = 1;
  private static final int LEFT = 2;

  private final Supplier<Runnable> work;
  private final AtomicInteger state = new AtomicInteger(AWAITED);
  private volatile Runnable answer = () -> {};

  /// @param work makes an answer, and returns what gives it
  HeldCall(Supplier<Runnable> work) {
    this.work = work;
  }

  /// Gives the answer too, unless somebody is awake for it.
  void run() {
    Runnable made = work.get();
    answer = made;
    if (!state.compareAndSet(AWAITED, ENDED)) {
      made.run();
    }
  }

  /// Stays awake for so long, and gives the answer if it comes. Must be called, if with nothing.
  void await(long nanos) {
    long end = System.nanoTime() + nanos;
    while (state.get() == AWAITED && System.nanoTime() - end < 0) {
      Thread.onSpinWait();
    }
    if (!state.compareAndSet(AWAITED, LEFT)) {
      answer.run();
    }
  }
}
