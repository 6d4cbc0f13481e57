package io.keyward.it;

import io.keyward.testbed.ApiClient;
import io.keyward.testbed.process.TestbedException;
import java.time.Duration;
import java.util.List;

/// How long the API server of a node does not serve.
final class Downtime implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(300);

  private final List<Thread> threads;
  private volatile Duration longest = Duration.ZERO;
  private volatile boolean isClosed;

  Downtime(List<ApiClient> servers) {
    threads =
        servers.stream().map(server -> Thread.ofVirtual().start(() -> watch(server))).toList();
  }

  private void watch(ApiClient server) {
    long served = System.nanoTime();
    while (!isClosed) {
      if (serves(server)) {
        var down = Duration.ofNanos(System.nanoTime() - served);
        synchronized (this) {
          longest = down.compareTo(longest) > 0 ? down : longest;
        }
        served = System.nanoTime();
      }
      try {
        Thread.sleep(PAUSE);
      } catch (InterruptedException _) {
        return;
      }
    }
  }

  private static boolean serves(ApiClient server) {
    try {
      return server.get("/readyz", Duration.ofSeconds(2)).isOk();
    } catch (TestbedException _) {
      return false;
    }
  }

  Duration longest() {
    return longest;
  }

  @Override
  public void close() {
    isClosed = true;
    threads.forEach(Thread::interrupt);
  }
}
