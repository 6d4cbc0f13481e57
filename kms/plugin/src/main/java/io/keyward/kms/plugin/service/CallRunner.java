package io.keyward.kms.plugin.service;

import io.grpc.Context;
import io.grpc.Status;
import io.grpc.stub.StreamObserver;
import io.keyward.kms.spi.KmsException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executor;
import java.util.concurrent.FutureTask;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.LockSupport;
import java.util.function.Function;
import java.util.function.Supplier;

/// Runs one call to its end: on the event loop if it cannot wait, on a thread of the provider if it
/// holds it, else on one of [CallThreads]; always answered once, within the budget, with a proper
/// code.
final class CallRunner {
  private static final Logger LOG = System.getLogger(CallRunner.class.getName());

  /// Enough for a burst of API servers that start; beyond it, waiting would only pile up.
  private static final int MAX_WAITING = 1_024;

  /// What the caller's deadline must leave for the answer to travel back.
  private static final Duration TRAVEL = Duration.ofMillis(50);

  /// A thread that answered a call so recently is about to be free.
  private static final long SOON = Duration.ofMillis(500).toNanos();

  private static final long HAND_OVER_PAUSE = Duration.ofMillis(1).toNanos();

  private final boolean blocks;
  private final Optional<Executor> threads;
  private final Duration budget;
  private final Overdue overdue;
  private final CallObserver observer;
  private final Semaphore waiting = new Semaphore(MAX_WAITING);
  private final HeldCalls held = new HeldCalls();
  private final AtomicLong lastEnded = new AtomicLong(System.nanoTime() - SOON);

  /// @param threads where calls run that hold their thread
  CallRunner(
      boolean blocks,
      Optional<Executor> threads,
      Duration budget,
      ScheduledExecutorService timer,
      CallObserver observer) {
    this.blocks = blocks;
    this.threads = threads;
    this.budget = budget;
    this.overdue = new Overdue(timer);
    this.observer = observer;
  }

  /// Answers `to` with what `work` makes of the time it may take.
  <T> void run(Operation operation, StreamObserver<T> to, Function<Duration, T> work) {
    run(operation, to, Optional::empty, work);
  }

  /// Answers `to` with what `memory` knows already, which saves a thread, else with what `work`
  /// makes of its time.
  <T> void run(
      Operation operation,
      StreamObserver<T> to,
      Supplier<Optional<T>> memory,
      Function<Duration, T> work) {
    var answer = new Answer<T>(operation, to, observer);
    if (!blocks) {
      answer.with(work, budget);
      return;
    }
    if (answer.attempt(memory)) {
      return;
    }
    if (!waiting.tryAcquire()) {
      answer.fail(GrpcFailure.tooMany());
      return;
    }
    Duration allowed = allowed();
    if (threads.isPresent()) {
      hold(threads.get(), answer, () -> Optional.of(work.apply(allowed)), allowed);
      return;
    }
    var call = new FutureTask<>(() -> answer.with(work, allowed), true);
    // A provider keeps to its time by itself. This is for one that does not.
    overdue.begin(
        call,
        allowed.plus(TRAVEL),
        () -> {
          if (answer.fail(GrpcFailure.budgetSpent())) {
            call.cancel(true);
          }
        });
    CallThreads.start(
        operation.label(),
        () -> {
          try {
            call.run();
          } finally {
            overdue.end(call);
            waiting.release();
          }
        });
  }

  private <T> void hold(
      Executor threads, Answer<T> answer, Supplier<Optional<T>> work, Duration allowed) {
    long begin = System.nanoTime();
    var call =
        new HeldCall(() -> {
          Runnable outcome = answer.outcome(work).orElseThrow();
          lastEnded.set(System.nanoTime());
          return outcome;
        });
    overdue.begin(call, allowed.plus(TRAVEL), () -> answer.fail(GrpcFailure.budgetSpent()));
    long awake = held.begin();
    Runnable end =
        () -> {
          held.end(System.nanoTime() - begin);
          overdue.end(call);
          waiting.release();
        };
    Runnable task =
        () -> {
          try {
            // It may have waited for its turn until its time was up.
            if (!answer.given.get()) {
              call.run();
            }
          } finally {
            end.run();
          }
        };
    if (offer(threads, task)) {
      call.await(awake);
      return;
    }
    call.await(0);
    Runnable refuse =
        () -> {
          end.run();
          answer.fail(GrpcFailure.tooMany());
        };
    long grace = Math.min(SOON, allowed.toNanos() / 2);
    if (System.nanoTime() - lastEnded.get() < grace) {
      Thread.ofVirtual().name("hand-over").start(() -> handOver(threads, task, refuse, grace));
    } else {
      refuse.run();
    }
  }

  /// A call is answered before its thread has returned to the executor, and the next call may come
  /// in between. It waits for that thread instead of being refused; not on the event loop.
  private static void handOver(Executor threads, Runnable task, Runnable refuse, long grace) {
    long begin = System.nanoTime();
    while (System.nanoTime() - begin < grace) {
      LockSupport.parkNanos(HAND_OVER_PAUSE);
      if (offer(threads, task)) {
        return;
      }
    }
    refuse.run();
  }

  private static boolean offer(Executor threads, Runnable task) {
    try {
      threads.execute(task);
      return true;
    } catch (RejectedExecutionException e) {
      return false;
    }
  }

  private Duration allowed() {
    var deadline = Context.current().getDeadline();
    if (deadline == null) {
      return budget;
    }
    long left = deadline.timeRemaining(TimeUnit.NANOSECONDS) - 2 * TRAVEL.toNanos();
    Duration positive = left > 0 ? Duration.ofNanos(left) : Duration.ofMillis(1);
    return positive.compareTo(budget) < 0 ? positive : budget;
  }

  /// The answer to one call. Whoever comes first gives it; the others change nothing.
  private static final class Answer<T> {
    private final Operation operation;
    private final StreamObserver<T> to;
    private final CallObserver observer;
    private final long begin = System.nanoTime();
    private final AtomicBoolean given = new AtomicBoolean();

    Answer(Operation operation, StreamObserver<T> to, CallObserver observer) {
      this.operation = operation;
      this.to = to;
      this.observer = observer;
    }

    void with(Function<Duration, T> work, Duration allowed) {
      var _ = attempt(() -> Optional.of(work.apply(allowed)));
    }

    /// Whether the call is answered now, well or badly.
    boolean attempt(Supplier<Optional<T>> work) {
      Optional<Runnable> outcome = outcome(work);
      outcome.ifPresent(Runnable::run);
      return outcome.isPresent();
    }

    /// What gives the answer that `work` makes; empty where it makes none.
    Optional<Runnable> outcome(Supplier<Optional<T>> work) {
      try {
        return work.get().map(result -> () -> succeed(result));
      } catch (KmsException e) {
        return Optional.of(() -> fail(GrpcFailure.of(e)));
      } catch (IllegalArgumentException e) {
        return Optional.of(() -> fail(GrpcFailure.of(e)));
      } catch (RuntimeException e) {
        // The edge of the program: without this, a defect would reach the API server as UNKNOWN.
        LOG.log(Level.ERROR, "a call failed by a defect", e);
        return Optional.of(() -> fail(GrpcFailure.defect()));
      }
    }

    private void succeed(T result) {
      if (given.compareAndSet(false, true)) {
        to.onNext(result);
        to.onCompleted();
        observer.finished(operation, "OK", System.nanoTime() - begin);
      }
    }

    boolean fail(Status status) {
      if (!given.compareAndSet(false, true)) {
        return false;
      }
      to.onError(status.asRuntimeException());
      observer.finished(operation, status.getCode().name(), System.nanoTime() - begin);
      return true;
    }
  }
}
