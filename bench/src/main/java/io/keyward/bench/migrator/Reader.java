package io.keyward.bench.migrator;

import io.keyward.kube.Api;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.locks.LockSupport;

/// Somebody who reads secrets all the time, at a fixed rate, and notes how long each takes. A
/// reading that is late counts from when it was due.
final class Reader implements AutoCloseable {
  private static final long PERIOD = 10_000_000;

  /// A new connection and cold code are nobody's fault.
  private static final int WARM_UP = 200;

  private final List<Long> times = new ArrayList<>();
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
      api.get(KeyedCluster.SECRETS + "/s-" + random.nextInt(secrets));
    }
    warm.countDown();
    long due = System.nanoTime();
    while (!ended) {
      long pause = due - System.nanoTime();
      if (pause > 0) {
        LockSupport.parkNanos(pause);
      }
      long begun = Math.min(due, System.nanoTime());
      var _ = api.get(KeyedCluster.SECRETS + "/s-" + random.nextInt(secrets)).orElseThrow();
      times.add(System.nanoTime() - begun);
      due += PERIOD;
    }
  }

  /// Milliseconds. Ends the reading.
  double p99() {
    close();
    List<Long> sorted = times.stream().sorted().toList();
    return sorted.get((int) (sorted.size() * 0.99)) / 1e6;
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
