package io.keyward.core.rollout;

import io.keyward.core.model.rollout.RemovedNode;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Drops removed nodes from the status.
///
/// Removing the control-plane label from a node stops no API server there, and an API server with
/// an old configuration may still write. So the rule removes the agent's last report and gives the
/// agent time to report again, as a live one does. A node that stays silent is dropped, and nothing
/// is rolled out before. A node that reports is asked repeatedly, so that its end is noticed.
final class RemovedNodes {
  /// An agent corrects a wrong entry within half a minute; one of its steps may be slow.
  static final Duration PATIENCE = Duration.ofSeconds(90);

  private RemovedNodes() {}

  private enum Next {
    ASK,
    WAIT,
    FORGET
  }

  /// The decision that comes before any other; empty where no node was removed.
  static Optional<RolloutDecision> next(List<RemovedNode> nodes, Instant now) {
    List<RemovedNode> asked = those(nodes, now, Next.ASK);
    if (!asked.isEmpty()) {
      return Optional.of(new RolloutDecision.Ask(asked));
    }
    List<RemovedNode> gone = those(nodes, now, Next.FORGET);
    if (!gone.isEmpty()) {
      return Optional.of(new RolloutDecision.Forget(gone.stream().map(RemovedNode::node).toList()));
    }
    return nodes.stream()
        .findFirst()
        .map(one -> new RolloutDecision.Wait(RolloutBlocker.of(one).sentence()));
  }

  private static List<RemovedNode> those(List<RemovedNode> nodes, Instant now, Next next) {
    return nodes.stream().filter(one -> next(one, now) == next).toList();
  }

  /// A time in the future comes from another clock, and would be waited for too long.
  private static Next next(RemovedNode node, Instant now) {
    if (node.asked().filter(at -> !at.isAfter(now)).isEmpty()) {
      return Next.ASK;
    }
    if (now.isBefore(node.asked().orElseThrow().plus(PATIENCE))) {
      return Next.WAIT;
    }
    return node.speaks() ? Next.ASK : Next.FORGET;
  }
}
