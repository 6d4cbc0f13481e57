package io.keyward.kube;

import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.function.Supplier;

/// At most one operator acts. Where two act for a moment, conditional writes keep them apart.
///
/// Whoever loses the lead, for example because its machine slept, steps down and stands again: a
/// restart would cost a cold start and help nobody.
public final class Leadership {
  /// The lease is renewed as often: twelve writes a minute. It is lost after the second try that
  /// failed, and free for others after a third one would have been due.
  private static final Duration RENEWAL = Duration.ofSeconds(5);

  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Api api;
  private final String namespace;
  private final String identity;
  private final Duration renewal;

  public Leadership(Api api, String namespace, String identity) {
    this(api, namespace, identity, RENEWAL);
  }

  /// For those who have less time.
  public Leadership(Api api, String namespace, String identity, Duration renewal) {
    this.api = api;
    this.namespace = namespace;
    this.identity = identity;
    this.renewal = renewal;
  }

  /// What is done while leading. Ends when it is closed.
  public interface Term extends AutoCloseable {
    @Override
    void close();
  }

  /// Stands, leads, and stands again. Until interrupted.
  public void run(Supplier<Term> lead) throws InterruptedException {
    while (true) {
      var elected = new CompletableFuture<Boolean>();
      var lost = new CompletableFuture<Boolean>();
      CompletableFuture<?> election =
          elect(() -> elected.complete(true), () -> lost.complete(false));
      var _ = election.whenComplete((_, _) -> lost.complete(false));
      try {
        if (elected.applyToEither(lost, leads -> leads).get()) {
          try (var _ = lead.get()) {
            var _ = lost.get();
          }
        }
      } catch (ExecutionException e) {
        throw new IllegalStateException("neither future is ever failed", e);
      } finally {
        election.cancel(true);
      }
      Thread.sleep(PAUSE);
    }
  }

  private CompletableFuture<?> elect(Runnable onElected, Runnable onLost) {
    return api.client()
        .leaderElector()
        .withConfig(
            new LeaderElectionConfigBuilder()
                .withName("keyward-operator")
                .withLeaseDuration(renewal.multipliedBy(3))
                .withRenewDeadline(renewal.multipliedBy(12).dividedBy(5))
                .withRetryPeriod(renewal)
                .withReleaseOnCancel(true)
                .withLock(new LeaseLock(namespace, "keyward-operator", identity))
                .withLeaderCallbacks(new LeaderCallbacks(onElected, onLost, _ -> {}))
                .build())
        .build()
        .start();
  }
}
