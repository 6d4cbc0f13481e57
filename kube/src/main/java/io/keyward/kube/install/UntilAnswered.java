package io.keyward.kube.install;

import io.keyward.kube.client.ClusterFailure;
import java.time.Duration;
import java.util.function.Supplier;

/// Repeats requests of an administrator's command that no API server answers: while the only API
/// server of a cluster restarts, or while it is busy, there is none for a while. An answer ends it,
/// also a refusal.
public final class UntilAnswered {
  /// A restart takes less than a minute; a slow machine may need more.
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private UntilAnswered() {}

  /// Runs a request that may be repeated.
  ///
  /// @throws ClusterFailure if it is refused, or not answered for three minutes
  public static <T> T get(Supplier<T> request) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (true) {
      try {
        return request.get();
      } catch (ClusterFailure e) {
        if (isAnswer(e) || System.nanoTime() > end) {
          throw e;
        }
        pause();
      }
    }
  }

  /// Without a cause, it is an object that says something else than it should.
  private static boolean isAnswer(ClusterFailure failure) {
    return failure.status() != 0 || failure.getCause() == null;
  }

  /// A second between two questions.
  public static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new ClusterFailure("interrupted", e);
    }
  }
}
