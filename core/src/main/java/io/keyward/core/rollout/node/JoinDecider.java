package io.keyward.core.rollout.node;

import io.keyward.core.model.rollout.Revisions;
import java.util.List;

/// A joining API server starts before any agent can write to its node. So it starts with the
/// revision that every other node runs: an older one may lack a key that is written with, and a
/// newer one may write with a key that others lack.
public final class JoinDecider {
  private JoinDecider() {}

  /// Decides for a machine that is not a node yet.
  ///
  /// @param latest the newest revision, 0 where there is none
  /// @param nodes all nodes that report
  public static JoinDecision decide(long latest, List<Revisions.Node> nodes) {
    if (latest == 0) {
      return new JoinDecision.NothingToWrite();
    }
    return nodes.stream()
        .filter(node -> node.current() != latest || node.target() > latest)
        .findFirst()
        .<JoinDecision>map(node -> new JoinDecision.Wait(words(latest, node)))
        .orElseGet(() -> new JoinDecision.Write(latest));
  }

  private static String words(long latest, Revisions.Node node) {
    String remedy = "; wait until keyward status shows all nodes at one revision";
    if (node.current() == 0) {
      return "node "
          + node.name()
          + " reports no revision; if it was removed, the operator drops it within two minutes"
          + remedy;
    }
    return "a rollout is in progress: node "
        + node.name()
        + " is at revision "
        + node.current()
        + ", and the newest revision is "
        + Math.max(latest, node.target())
        + remedy;
  }
}
