package io.keyward.kms.pkcs11;

import java.util.concurrent.Callable;
import java.util.concurrent.Executor;
import java.util.concurrent.ForkJoinPool;
import java.util.concurrent.ForkJoinWorkerThread;
import java.util.concurrent.Future;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;

/// A few platform threads for the calls of one key.
///
/// A call goes to the thread that rested last, because that one is awake soonest: with one caller
/// at a time a single thread does all the work, and the others end. Pools with one queue give it to
/// the thread that has rested longest.
final class HsmThreads implements Executor, AutoCloseable {
  static final int THREADS = 16;
  static final int WAITING = 512;
  private static final int KEPT_SECONDS = 30;

  private final ForkJoinPool pool =
      new ForkJoinPool(
          THREADS,
          HsmThreads::thread,
          null,
          true, // first come, first served
          THREADS,
          THREADS,
          1,
          _ -> true, // a call that waits for an equal one needs no thread in its place
          KEPT_SECONDS,
          TimeUnit.SECONDS);

  private static ForkJoinWorkerThread thread(ForkJoinPool pool) {
    ForkJoinWorkerThread thread = ForkJoinPool.defaultForkJoinWorkerThreadFactory.newThread(pool);
    thread.setName("pkcs11-" + thread.getPoolIndex());
    return thread;
  }

  /// @throws RejectedExecutionException if too many wait already
  @Override
  public void execute(Runnable call) {
    refuseIfFull();
    pool.execute(call);
  }

  /// @throws RejectedExecutionException if too many wait already
  <T> Future<T> submit(Callable<T> call) {
    refuseIfFull();
    return pool.submit(call);
  }

  private void refuseIfFull() {
    if (pool.getQueuedSubmissionCount() >= WAITING) {
      throw new RejectedExecutionException();
    }
  }

  @Override
  public void close() {
    pool.shutdownNow();
  }
}
