package io.keyward.kube;

import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import java.time.Duration;
import java.util.concurrent.CompletableFuture;

/// At most one operator acts. Where two act for a moment, conditional writes keep them apart.
public final class Leadership implements AutoCloseable {
  private final CompletableFuture<?> election;

  public Leadership(
      Api api, String namespace, String identity, Runnable onElected, Runnable onLost) {
    election =
        api.client()
            .leaderElector()
            .withConfig(
                new LeaderElectionConfigBuilder()
                    .withName("keyward-operator")
                    .withLeaseDuration(Duration.ofSeconds(15))
                    .withRenewDeadline(Duration.ofSeconds(12))
                    .withRetryPeriod(Duration.ofSeconds(2))
                    .withReleaseOnCancel(true)
                    .withLock(new LeaseLock(namespace, "keyward-operator", identity))
                    .withLeaderCallbacks(new LeaderCallbacks(onElected, onLost, _ -> {}))
                    .build())
            .build()
            .start();
  }

  @Override
  public void close() {
    election.cancel(true);
  }
}
