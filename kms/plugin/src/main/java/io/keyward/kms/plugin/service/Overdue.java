package io.keyward.kms.plugin.service;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;

/// Ends calls whose provider does not keep to its time. One look at all of them when the first is
/// due: a timer for each would outlive its call by seconds, and hold the call's memory for as long.
final class Overdue {
  private static final long NEVER = Long.MIN_VALUE;

  /// A call that runs.
  private record Running(long end, Runnable giveUp) {}

  private final ScheduledExecutorService timer;
  private final Map<Object, Running> running = new ConcurrentHashMap<>();

  /// When the next look is planned.
  private final AtomicLong next = new AtomicLong(NEVER);

  Overdue(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  /// Runs `giveUp` if `call` does not end in time.
  void begin(Object call, Duration limit, Runnable giveUp) {
    long end = System.nanoTime() + limit.toNanos();
    running.put(call, new Running(end, giveUp));
    lookAt(end);
  }

  void end(Object call) {
    running.remove(call);
  }

  private void lookAt(long time) {
    long planned = next.get();
    while (planned == NEVER || time - planned < 0) {
      if (next.compareAndSet(planned, time)) {
        var _ = timer.schedule(() -> look(time), time - System.nanoTime(), TimeUnit.NANOSECONDS);
        return;
      }
      planned = next.get();
    }
  }

  private void look(long planned) {
    if (!next.compareAndSet(planned, NEVER)) {
      return; // an earlier look has taken this one's place, and planned another
    }
    running.forEach((call, until) -> {
      if (until.end() - System.nanoTime() > 0) {
        lookAt(until.end());
      } else if (running.remove(call, until)) {
        until.giveUp().run();
      }
    });
  }
}
