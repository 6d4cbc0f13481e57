package io.keyward.kms.plugin.service;

import java.time.Duration;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;

/// Ends calls whose provider does not keep to its time. One look at all of them now and then: a
/// timer for each would outlive its call by seconds, and hold the call's memory for as long.
final class Overdue {
  private static final Duration LOOK = Duration.ofMillis(25);

  /// A call that runs.
  private record Running(long end, Runnable giveUp) {}

  private final ScheduledExecutorService timer;
  private final Map<Thread, Running> running = new ConcurrentHashMap<>();
  private final AtomicBoolean looking = new AtomicBoolean();

  Overdue(ScheduledExecutorService timer) {
    this.timer = timer;
  }

  /// Runs `giveUp` if `worker` does not end in time.
  void begin(Thread worker, Duration limit, Runnable giveUp) {
    running.put(worker, new Running(System.nanoTime() + limit.toNanos(), giveUp));
    lookLater();
  }

  void end(Thread worker) {
    running.remove(worker);
  }

  private void lookLater() {
    if (looking.compareAndSet(false, true)) {
      var _ = timer.schedule(this::look, LOOK.toMillis(), TimeUnit.MILLISECONDS);
    }
  }

  private void look() {
    looking.set(false);
    long now = System.nanoTime();
    running.forEach((worker, call) -> {
      if (now - call.end() >= 0 && running.remove(worker, call)) {
        call.giveUp().run();
      }
    });
    if (!running.isEmpty()) {
      lookLater();
    }
  }
}
