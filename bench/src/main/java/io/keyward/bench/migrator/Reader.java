package io.keyward.bench.migrator;

import io.keyward.kube.client.Api;
import java.util.List;
import java.util.Queue;
import java.util.Random;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.LockSupport;

/// Somebody who reads secrets all the time, and notes how long each takes.
///
/// Each reading begins when it is due, also while others are still under way: one that is slow
/// makes nobody wait who would not have waited with a client of his own.
final class Reader implements AutoCloseable {
  private static final long PERIOD = 20_000_000;

  /// A new connection and cold code are nobody's fault.
  private static final int WARM_UP = 200;

  private final Queue<Long> times = new ConcurrentLinkedQueue<>();
  private final Api api;
  private final Thread thread;
  private final CountDownLatch warm = new CountDownLatch(1);
  private volatile boolean ended;

  /// Begins when it is warm. Closes the client when it ends.
  Reader(Api api, int secrets) throws InterruptedException {
    this.api = api;
    thread = Thread.ofPlatform().start(() -> read(secrets));
    warm.await();
  }

  private void read(int secrets) {
    var random = new Random(7);
    for (int i = 0; i < WARM_UP; i++) {
      get(random.nextInt(secrets));
    }
    warm.countDown();
    long due = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      while (!ended) {
        for (long pause = due - System.nanoTime(); pause > 0; pause = due - System.nanoTime()) {
          LockSupport.parkNanos(pause);
        }
        int which = random.nextInt(secrets);
        long begun = due;
        threads.execute(() -> {
          get(which);
          times.add(System.nanoTime() - begun);
        });
        due += PERIOD;
      }
    }
  }

  private void get(int which) {
    var _ = api.get(KeyedCluster.SECRETS + "/s-" + which).orElseThrow();
  }

  /// What each reading took. Ends the reading.
  List<Double> millis() {
    close();
    return times.stream().map(nanos -> nanos / 1e6).toList();
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
      api.close();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }
}
