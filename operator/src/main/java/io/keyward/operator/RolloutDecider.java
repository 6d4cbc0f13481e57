package io.keyward.operator;

import io.keyward.core.rollout.Hindrance;
import io.keyward.operator.RolloutDecision.Advance;
import io.keyward.operator.RolloutDecision.Complete;
import io.keyward.operator.RolloutDecision.Nothing;
import io.keyward.operator.RolloutDecision.Refuse;
import io.keyward.operator.RolloutDecision.Snapshot;
import io.keyward.operator.RolloutDecision.Wait;
import io.keyward.operator.RolloutView.Manifest;
import io.keyward.operator.RolloutView.Node;
import java.util.Optional;

/// A revision is taken only of parts that belong together. One node at a time gets it, and never
/// another one while one is on its way or unhealthy. A Deployment comes after the nodes.
///
/// What does not go with what runs becomes no revision; see [Surroundings].
///
/// A node that left is forgotten once its agent does not report any more; see [Departures]. One
/// that is only silent has not left: it stays among the nodes.
public final class RolloutDecider {
  private RolloutDecider() {}

  public static RolloutDecision decide(RolloutView seen) {
    // A list of nodes that is empty is more likely a mistake than a cluster without any.
    Optional<RolloutDecision> left = seen.nodes().isEmpty() ? Optional.empty() : seen.left().next();
    return left.orElseGet(() -> stay(seen));
  }

  /// Among those that are nodes of the API server.
  private static RolloutDecision stay(RolloutView seen) {
    if (seen.surroundings().unknown().isPresent()) {
      return new Wait(seen.surroundings().unknown().orElseThrow());
    }
    if (seen.published().isEmpty()) {
      return new Nothing();
    }
    if (seen.manifest() instanceof Manifest.Absent(var where)) {
      return new Refuse(where + " is missing: it says how the API server is started");
    }
    if (!seen.surroundings().areSafe()) {
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
  private static RolloutDecision aside(RolloutView seen) {
    boolean goesOn = seen.latest() > 0 && !NextRevision.isDue(seen);
    RolloutDecision next = goesOn ? onward(seen) : new Nothing();
    return next instanceof Nothing
        ? new Wait(
            "what was last written does not go with what runs; it becomes no revision and is"
                + " written again when all instances run the same and are ready")
        : next;
  }

  private static RolloutDecision onward(RolloutView seen) {
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
        node.hindrance()
            .filter(one -> one.hinders(latest))
            .map(Hindrance::words)
            .orElseGet(() ->
                node.current() == latest
                    ? "the API server on node " + node.name() + " is not ready"
                    : "node " + node.name() + " is on its way to revision " + latest));
  }
}
