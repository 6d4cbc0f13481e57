package io.keyward.kube.leader;

import com.fasterxml.jackson.databind.JsonNode;
import io.fabric8.kubernetes.client.KubernetesClientException;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderCallbacks;
import io.fabric8.kubernetes.client.extended.leaderelection.LeaderElectionConfigBuilder;
import io.fabric8.kubernetes.client.extended.leaderelection.resourcelock.LeaseLock;
import io.keyward.codec.object.LeaseSpec;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.function.Supplier;

/// At most one operator acts. Where two act for a moment, conditional writes keep them apart.
///
/// Whoever loses the lead, for example because its machine slept, steps down and stands again: a
/// restart would cost a cold start and help nobody. Whoever is told to end gives the lease back, so
/// that another leads at once.
public final class Leadership {
  private static final Logger LOG = System.getLogger(Leadership.class.getName());
  private static final String NAME = "keyward-operator";

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

  /// Runs a term whenever this process is leader. Until interrupted.
  ///
  /// @throws ClusterFailure if the client library cannot take part in an election
  public void run(Supplier<Term> lead) throws InterruptedException {
    try {
      campaign(lead);
    } catch (KubernetesClientException e) {
      throw new ClusterFailure(String.valueOf(e.getMessage()), e);
    }
  }

  private void campaign(Supplier<Term> lead) throws InterruptedException {
    while (true) {
      awaitFree();
      var elected = new CompletableFuture<Boolean>();
      var lost = new CompletableFuture<Boolean>();
      CompletableFuture<?> election =
          elect(() -> elected.complete(true), () -> lost.complete(false));
      var _ = election.whenComplete((_, _) -> lost.complete(false));
      try {
        if (elected.applyToEither(lost, leads -> leads).get(tries(), TimeUnit.NANOSECONDS)) {
          try (var _ = lead.get()) {
            var _ = lost.get();
          }
        }
      } catch (TimeoutException _) {
        LOG.log(Level.DEBUG, "another was faster");
      } catch (ExecutionException e) {
        throw new IllegalStateException("neither future is ever failed", e);
      } finally {
        // Gives the lease back where it is held.
        election.cancel(true);
      }
      Thread.sleep(PAUSE);
    }
  }

  /// The lease of the operator whose first API server has its objects in this namespace.
  public static String path(String namespace) {
    return "/apis/coordination.k8s.io/v1/namespaces/" + namespace + "/leases/" + NAME;
  }

  private long tries() {
    return renewal.multipliedBy(2).toNanos();
  }

  /// Reads the lease more often than whoever leads writes it, so that nobody waits long for a lead
  /// that was given back. Whether it may be taken is decided by the election.
  private void awaitFree() throws InterruptedException {
    String path = path(namespace);
    String version = "";
    String told = "";
    long since = System.nanoTime();
    while (true) {
      try {
        Optional<JsonNode> lease = api.get(path).map(JsonNode.class::cast);
        String now = lease.map(ObjectMeta::version).orElse("");
        if (!now.equals(version)) {
          version = now;
          since = System.nanoTime();
        }
        boolean still = System.nanoTime() - since < renewal.multipliedBy(3).toNanos();
        if (lease.filter(one -> still && isHeld(one)).isEmpty()) {
          return;
        }
      } catch (ClusterFailure e) {
        String problem = String.valueOf(e.getMessage());
        if (!problem.equals(told)) {
          LOG.log(Level.WARNING, "Leader election failed; retrying: " + problem);
          told = problem;
        }
      }
      Thread.sleep(PAUSE);
    }
  }

  private boolean isHeld(JsonNode lease) {
    var spec = LeaseSpec.read(lease);
    return !spec.holder().isEmpty()
        && !spec.holder().equals(identity)
        && spec.expires().filter(end -> Instant.now().isBefore(end)).isPresent();
  }

  private CompletableFuture<?> elect(Runnable onElected, Runnable onLost) {
    return api.client()
        .leaderElector()
        .withConfig(
            new LeaderElectionConfigBuilder()
                .withName(NAME)
                .withLeaseDuration(renewal.multipliedBy(3))
                .withRenewDeadline(renewal.multipliedBy(12).dividedBy(5))
                .withRetryPeriod(renewal)
                .withReleaseOnCancel(true)
                .withLock(new LeaseLock(namespace, NAME, identity))
                .withLeaderCallbacks(new LeaderCallbacks(onElected, onLost, _ -> {}))
                .build())
        .build()
        .start();
  }
}
