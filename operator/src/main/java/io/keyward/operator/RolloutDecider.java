package io.keyward.operator;

import io.keyward.operator.RolloutDecision.Advance;
import io.keyward.operator.RolloutDecision.Nothing;
import io.keyward.operator.RolloutDecision.Snapshot;
import io.keyward.operator.RolloutDecision.Wait;
import io.keyward.operator.RolloutView.Node;

/// One node at a time, and never onward from an unhealthy one.
public final class RolloutDecider {
  private RolloutDecider() {}

  public static RolloutDecision decide(RolloutView seen) {
    if (seen.published().isEmpty()) {
      return new Nothing();
    }
    // A new snapshot also corrects a revision that a node could not run.
    if (!seen.published().equals(seen.latestContent())) {
      return new Snapshot(seen.latest() + 1);
    }
    for (Node node : seen.nodes()) {
      boolean underWay = node.target() == seen.latest() && node.current() != seen.latest();
      if (underWay) {
        return new Wait(
            node.failed() == seen.latest()
                ? "node " + node.name() + " cannot run revision " + seen.latest()
                : "node " + node.name() + " is on its way to revision " + seen.latest());
      }
    }
    for (Node node : seen.nodes()) {
      if (node.current() == seen.latest() && !node.ready()) {
        return new Wait("the API server on node " + node.name() + " is not ready");
      }
    }
    return seen.nodes().stream()
        .filter(node -> node.current() != seen.latest())
        .findFirst()
        .<RolloutDecision>map(node -> new Advance(node.name(), seen.latest()))
        .orElseGet(Nothing::new);
  }
}
