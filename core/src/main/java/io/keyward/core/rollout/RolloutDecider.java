package io.keyward.core.rollout;

import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Revisions.Manifest;
import io.keyward.core.model.rollout.Revisions.Node;
import io.keyward.core.rollout.RolloutDecision.Advance;
import io.keyward.core.rollout.RolloutDecision.Complete;
import io.keyward.core.rollout.RolloutDecision.Nothing;
import io.keyward.core.rollout.RolloutDecision.Refuse;
import io.keyward.core.rollout.RolloutDecision.Snapshot;
import io.keyward.core.rollout.RolloutDecision.Wait;
import io.keyward.core.rollout.manifest.ManifestRule;
import java.time.Instant;
import java.util.Optional;

/// A revision is made only of parts that fit together. One node at a time gets it, and never
/// another one while one is on its way or unhealthy. A Deployment comes after the nodes.
///
/// A configuration that is incompatible with the running one never becomes a revision; see
/// [RolloutSafety].
///
/// A removed node is dropped once its agent stops reporting; see [RemovedNodes]. A node that is
/// only unreachable was not removed: it stays among the nodes.
public final class RolloutDecider {
  private RolloutDecider() {}

  /// What happens to revisions and instances next.
  ///
  /// @param layout what the same turn decided about the configuration
  public static RolloutDecision decide(ObservedState seen, LayoutDecision layout) {
    RolloutSafety safety = RolloutSafety.of(seen, layout);
    RolloutDecision next = decide(seen.revisions(), safety, seen.at());
    // Where encryption was never on, nothing waits for the answer of a removed node.
    return next instanceof Wait && !seen.isEnabled() && !seen.revisions().removed().isEmpty()
        ? stay(seen.revisions(), safety)
        : next;
  }

  static RolloutDecision decide(Revisions seen, RolloutSafety safety, Instant now) {
    // An empty list of nodes is more likely a mistake than a cluster without any.
    Optional<RolloutDecision> removed =
        seen.nodes().isEmpty() ? Optional.empty() : RemovedNodes.next(seen.removed(), now);
    return removed.orElseGet(() -> stay(seen, safety));
  }

  /// Among the nodes of the API server.
  private static RolloutDecision stay(Revisions seen, RolloutSafety safety) {
    if (safety.unknown().isPresent()) {
      return new Wait(safety.unknown().orElseThrow());
    }
    if (seen.published().isEmpty()) {
      // A revision that was on its way when the configuration was deleted still has to arrive: only
      // then is it known what should be written.
      return goesOn(seen) ? onward(seen) : new Nothing();
    }
    if (seen.manifest() instanceof Manifest.Absent(var where)) {
      return new Refuse(where + " is missing: it defines how the API server is started");
    }
    if (seen.manifest() instanceof Manifest.Unusable(var problem)) {
      return new Refuse(problem);
    }
    if (!safety.isSafe()) {
      return aside(seen);
    }
    if (seen.manifest() instanceof Manifest.Present(var needs) && !needs.isEmpty()) {
      return ManifestRule.obstacle(needs)
          .<RolloutDecision>map(Refuse::new)
          .orElseGet(() -> new Complete(needs));
    }
    // A new snapshot also corrects a revision that a node could not run.
    if (!seen.published().equals(seen.latestContent()) || NextRevision.isDue(seen)) {
      return new Snapshot(NextRevision.number(seen));
    }
    return onward(seen);
  }

  /// What is on its way arrives, and what was written becomes no revision: only when all instances
  /// run the same is it known what should be written instead.
  private static RolloutDecision aside(Revisions seen) {
    RolloutDecision next = goesOn(seen) ? onward(seen) : new Nothing();
    return next instanceof Nothing
        ? new Wait(
            "the published configuration is incompatible with the running one; it does not become a"
                + " revision and is"
                + " written again when all instances run the same and are ready")
        : next;
  }

  /// Whether the newest revision is there for all nodes.
  private static boolean goesOn(Revisions seen) {
    return seen.latest() > 0 && !NextRevision.isDue(seen);
  }

  private static RolloutDecision onward(Revisions seen) {
    // A node that left an older revision, or whose API server is down, must be back first.
    for (Node node : seen.nodes()) {
      boolean left = node.target() > node.current() || node.failed() > node.current();
      if (left || !node.ready()) {
        return heal(node, seen.latest());
      }
    }
    return seen.nodes().stream()
        .filter(node -> node.current() != seen.latest())
        .findFirst()
        .<RolloutDecision>map(node -> new Advance(node.name(), seen.latest()))
        .or(() -> seen.deployment().map(one -> DeploymentDecider.decide(one, seen.latest())))
        .orElseGet(Nothing::new);
  }

  private static RolloutDecision heal(Node node, long latest) {
    if (node.target() < latest && node.current() < latest) {
      return new Advance(node.name(), latest);
    }
    return new Wait(
        RolloutBlocker.of(node)
            .filter(one -> one.hinders(latest))
            .map(RolloutBlocker::words)
            .orElseGet(() ->
                node.current() == latest
                    ? "the API server on node " + node.name() + " is not ready"
                    : "node " + node.name() + " is on its way to revision " + latest));
  }
}
