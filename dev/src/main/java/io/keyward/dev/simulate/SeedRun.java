package io.keyward.dev.simulate;

import io.keyward.testkit.sim.Brain;
import io.keyward.testkit.sim.Scenario;
import io.keyward.testkit.sim.Simulator;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.LongConsumer;

/// Runs the lives of consecutive seeds on several threads.
///
/// Threads take seeds in order and finish every life that they began. So the seeds that were run
/// have no gap, however the run ends, and the next run starts after the last of them.
final class SeedRun {
  private static final long PROGRESS_MILLIS = 30_000;

  private final long from;
  private final long end;
  private final Brain brain;
  private final AtomicLong next;
  private final AtomicLong done = new AtomicLong();
  private final AtomicLong steps = new AtomicLong();
  private final AtomicLong violations = new AtomicLong();
  private final AtomicReference<Optional<Failed>> first = new AtomicReference<>(Optional.empty());
  private final AtomicReference<Optional<RuntimeException>> broken =
      new AtomicReference<>(Optional.empty());
  private volatile boolean isStopped;

  /// The life with the lowest seed that broke a statement.
  record Failed(long seed, Simulator.Outcome outcome) {}

  /// @param to the last seed that was run; below `from` where there was none
  record Result(
      long from, long to, long lives, long steps, long violations, Optional<Failed> first) {}

  SeedRun(long from, long runs, Brain brain) {
    this.from = from;
    this.end = from + runs;
    this.brain = brain;
    this.next = new AtomicLong(from);
  }

  /// Begins no more lives. May be called at any time, from any thread.
  void stop() {
    isStopped = true;
  }

  /// @param progress is told the number of lives now and then
  Result run(int threads, LongConsumer progress) throws InterruptedException {
    List<Thread> workers = new ArrayList<>();
    for (int i = 0; i < threads; i++) {
      workers.add(Thread.ofPlatform().name("simulator-" + i).start(this::work));
    }
    long told = System.nanoTime();
    for (Thread worker : workers) {
      while (!worker.join(Duration.ofMillis(200))) {
        if (System.nanoTime() - told > TimeUnit.MILLISECONDS.toNanos(PROGRESS_MILLIS)) {
          told = System.nanoTime();
          progress.accept(done.get());
        }
      }
    }
    if (broken.get().isPresent()) {
      throw broken.get().orElseThrow();
    }
    long lives = done.get();
    return new Result(from, from + lives - 1, lives, steps.get(), violations.get(), first.get());
  }

  private void work() {
    while (!isStopped) {
      long seed = next.getAndUpdate(one -> Math.min(one + 1, end));
      if (seed >= end) {
        return;
      }
      try {
        live(seed);
      } catch (RuntimeException e) {
        broken.set(Optional.of(new IllegalStateException("seed " + seed + " cannot be run", e)));
        stop();
      }
    }
  }

  private void live(long seed) {
    Simulator.Outcome outcome = Simulator.run(Scenario.of(seed), brain);
    steps.addAndGet(outcome.steps());
    done.incrementAndGet();
    if (outcome.violation().isPresent()) {
      violations.incrementAndGet();
      first.accumulateAndGet(
          Optional.of(new Failed(seed, outcome)),
          (old, found) -> old.filter(one -> one.seed() < seed).isPresent() ? old : found);
      stop();
    }
  }
}
