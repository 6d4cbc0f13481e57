package io.keyward.testkit.sim;

import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.rollout.RemovedNode;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.core.rollout.KnownRevisions;
import io.keyward.core.rollout.Pod;
import io.keyward.core.rollout.RolloutAssessor;
import io.keyward.core.rollout.RolloutBlocker;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// What an operator can read of the rollout of one API server.
final class RolloutView {
  private final Server server;

  RolloutView(Server server) {
    this.server = server;
  }

  /// Revisions and nodes at one time.
  ///
  /// @param newest the newest configuration that an instance has or is to get
  record Status(
      boolean managed,
      int latest,
      @Nullable EncryptionLayout latestLayout,
      List<Revisions.Node> nodes,
      List<RemovedNode> removed,
      SortedSet<Long> taken,
      Optional<EncryptionLayout> newest,
      Optional<Revisions.Deployment> deployment,
      Rollout rollout) {

    /// The same as the engine gets it, beside this configuration.
    Revisions revisions(@Nullable EncryptionLayout published) {
      return managed
          ? new Revisions(
              Optional.ofNullable(published)
                  .map(layout -> Objects.equals(layout, latestLayout) ? "latest" : "another"),
              new Revisions.Manifest.Unused(),
              latest,
              Optional.ofNullable(latestLayout).map(_ -> "latest"),
              nodes,
              deployment,
              removed,
              taken,
              newest)
          : Revisions.NONE;
    }
  }

  Status status(Kms kms) {
    PodSet pods = server.pods;
    int newest = server.latest();
    for (Instance instance : server.instances) {
      newest =
          pods == null
              ? Math.max(newest, Math.max(instance.target, (int) instance.asNode().current()))
              : newest;
    }
    return new Status(
        server.managed,
        server.latest(),
        server.revision(server.latest()).layout(),
        pods == null ? server.instances.stream().map(Instance::asNode).toList() : List.of(),
        server.removedNodes(),
        new TreeSet<>(server.taken),
        layoutOf(newest),
        pods == null ? Optional.empty() : Optional.of(new PodView(server, pods).deployment(kms)),
        rollout(kms));
  }

  private Rollout rollout(Kms kms) {
    PodSet pods = server.pods;
    if (pods != null) {
      var nodes = new TreeSet<String>();
      server.instances.forEach(instance -> nodes.add(instance.node));
      return RolloutAssessor.rollout(
          new PodView(server, pods).agreement(kms), server.latest(), this::layoutOf, nodes);
    }
    Optional<Rollout> unknown = unknown();
    if (unknown.isPresent()) {
      return unknown.orElseThrow();
    }
    return server.managed ? reported() : played(kms);
  }

  /// What node agents report, compared with the revisions that the cluster has.
  private Optional<Rollout> unknown() {
    if (!server.runsUnknown() && !server.runsForeign()) {
      return Optional.empty();
    }
    var digests = new TreeMap<Long, String>();
    server.revisions.forEach((number, one) -> digests.put((long) number, one.digest()));
    var known = new KnownRevisions(server.latest(), digests, Optional.empty());
    var found =
        RolloutAssessor.unknown(
            server.instances.stream()
                .flatMap(instance -> unknown(instance, known).stream())
                .toList());
    return found.map(one ->
        RolloutAssessor.rollout(
            one, server.latest(), this::layoutOf, Collections.emptySortedSet()));
  }

  private Optional<RolloutBlocker.Unknown> unknown(Instance instance, KnownRevisions known) {
    // Only a node agent looks at what was there before; a platform names revisions.
    return instance.isForeign && server.managed
        ? Optional.of(new RolloutBlocker.Existing("node", instance.node, "aescbc in /etc/enc.yaml"))
        : known.unknown(instance.claim()).map(RolloutBlocker.Unknown.class::cast);
  }

  /// As the operator reads it from what node agents report.
  private Rollout reported() {
    var names = new TreeSet<String>();
    var pods = new ArrayList<Pod>();
    var blockers = new ArrayList<RolloutBlocker>();
    for (Instance instance : server.instances) {
      names.add(instance.node);
      pods.add(instance.asPod());
      RolloutBlocker.of(instance.asNode()).ifPresent(blockers::add);
    }
    server.removedNodes().forEach(one -> blockers.add(RolloutBlocker.of(one)));
    return RolloutAssessor.rollout(
        RolloutAssessor.assess(names, pods, server.latest(), blockers),
        server.latest(),
        this::layoutOf,
        names);
  }

  private Optional<EncryptionLayout> layoutOf(long revision) {
    return Optional.ofNullable(server.revision((int) revision).layout());
  }

  private Rollout played(Kms kms) {
    if (server.instances.stream().anyMatch(instance -> instance.failed)) {
      return new Rollout.Stuck("an instance failed for good");
    }
    // A revision that runs nowhere yet may be taken up at any moment.
    if (!server.isConverged(kms) || !server.runsLatest()) {
      return new Rollout.Rolling(
          "an instance is not ready or runs another revision", running(), isLatestFailing(kms));
    }
    var nodeNames = new TreeSet<String>();
    var witness = new StringBuilder();
    for (Instance instance : server.instances) {
      nodeNames.add(instance.node);
      witness.append(instance.node).append('/').append(instance.revision);
      witness.append('@').append(instance.startedAt).append(',');
    }
    return new Rollout.Converged(
        server.latest(), layoutOf(server.latest()), witness.toString(), nodeNames);
  }

  private boolean isLatestFailing(Kms kms) {
    return server.instances.stream()
        .anyMatch(one -> one.revision == server.latest() && !server.isServing(one, kms));
  }

  private Optional<EncryptionLayout> running() {
    return server.runsLatest() ? layoutOf(server.latest()) : Optional.empty();
  }
}
