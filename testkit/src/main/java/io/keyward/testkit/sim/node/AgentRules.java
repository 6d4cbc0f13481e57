package io.keyward.testkit.sim.node;

import io.keyward.core.rollout.node.NodeDecider;
import io.keyward.core.rollout.node.NodeDecision;
import io.keyward.core.rollout.node.NodeView;

/// Decides what a node agent does and in which order it writes; a mutant gets one of both wrong.
@FunctionalInterface
public interface AgentRules {
  AgentRules ENGINE = NodeDecider::decide;

  NodeDecision decide(NodeView seen);

  /// Whether the API server is reported as ready.
  default boolean isReady(NodeView seen) {
    return NodeDecider.isReady(seen);
  }

  default Order order() {
    return Order.NUMBER_LAST;
  }

  /// Of the writes that make a revision.
  enum Order {
    /// Where the number stands, the revision is complete.
    NUMBER_LAST,
    NUMBER_FIRST,
    /// The configuration is not written at all.
    NUMBER_ONLY
  }
}
