package io.keyward.testkit.sim;

import io.keyward.core.model.ObservedState;
import io.keyward.core.model.rollout.RemovedNode;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Rollout.Converged;
import io.keyward.core.model.rollout.Rollout.Rolling;
import io.keyward.core.model.rollout.Rollout.Unknown;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.util.List;
import java.util.TreeSet;
import java.util.function.Predicate;

/// Mistakes about rollouts, and about what has converged.
final class RolloutMistakes {
  private RolloutMistakes() {}

  /// What is written counts as what all instances run.
  static TurnPlan actsWhileInstancesDiffer(ObservedState seen) {
    return seen.rollout() instanceof Rolling && seen.stored().published().isPresent()
        ? Turn.plan(
            seen.with(new Converged(0, seen.stored().published(), "mutant", new TreeSet<>())))
        : Turn.plan(seen);
  }

  static TurnPlan rollsOutWhatDoesNotFit(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    boolean isNew = !seen.revisions().published().equals(seen.revisions().latestContent());
    return plan.rollout() instanceof RolloutDecision.Wait
            && isNew
            && !(seen.rollout() instanceof Unknown)
        ? Changed.with(seen, plan, new RolloutDecision.Snapshot(seen.revisions().latest() + 1))
        : plan;
  }

  static TurnPlan rollsTwoNodesAtOnce(ObservedState seen) {
    return instead(seen, node -> node.target() < seen.revisions().latest());
  }

  /// The next node does not wait until the one before it is ready.
  static TurnPlan movesOnFromAnUnreadyNode(ObservedState seen) {
    boolean isDown = seen.revisions().nodes().stream().anyMatch(node -> !node.ready());
    return isDown
        ? instead(seen, node -> node.ready() && node.target() < seen.revisions().latest())
        : Turn.plan(seen);
  }

  private static TurnPlan instead(ObservedState seen, Predicate<Revisions.Node> which) {
    TurnPlan plan = Turn.plan(seen);
    long latest = seen.revisions().latest();
    return plan.rollout() instanceof RolloutDecision.Wait && !(seen.rollout() instanceof Unknown)
        ? seen.revisions().nodes().stream()
            .filter(which)
            .findFirst()
            .map(node -> Changed.with(seen, plan, new RolloutDecision.Advance(node.name(), latest)))
            .orElse(plan)
        : plan;
  }

  /// A node that cannot run the newest revision is sent back to the one before.
  static TurnPlan sendsANodeBack(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    long latest = seen.revisions().latest();
    return plan.rollout() instanceof RolloutDecision.Wait && latest > 1
        ? seen.revisions().nodes().stream()
            .filter(node -> node.target() == latest && !node.ready())
            .findFirst()
            .map(node ->
                Changed.with(seen, plan, new RolloutDecision.Advance(node.name(), latest - 1)))
            .orElse(plan)
        : plan;
  }

  /// A node that is down gets no correction.
  static TurnPlan waitsForADownedNode(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return plan.rollout() instanceof RolloutDecision.Advance(var node, _)
            && seen.revisions().nodes().stream()
                .anyMatch(one -> one.name().equals(node) && !one.ready())
        ? Changed.with(seen, plan, new RolloutDecision.Nothing())
        : plan;
  }

  static TurnPlan neverMakesARevision(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return plan.rollout() instanceof RolloutDecision.Snapshot
        ? Changed.with(seen, plan, new RolloutDecision.Nothing())
        : plan;
  }

  static TurnPlan reusesARevisionNumber(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return plan.rollout() instanceof RolloutDecision.Snapshot(long revision) && revision > 1
        ? Changed.with(seen, plan, new RolloutDecision.Snapshot(revision - 1))
        : plan;
  }

  /// Numbers that a crash left behind are not passed over.
  static TurnPlan ignoresTakenNumbers(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return plan.rollout() instanceof RolloutDecision.Snapshot && !seen.revisions().taken().isEmpty()
        ? Changed.with(seen, plan, new RolloutDecision.Snapshot(seen.revisions().latest() + 1))
        : plan;
  }

  /// A removed node is dropped without asking whether it still runs.
  static TurnPlan dropsRemovedNodesAtOnce(ObservedState seen) {
    List<RemovedNode> removed = seen.revisions().removed();
    return removed.isEmpty()
        ? Turn.plan(seen)
        : Changed.with(
            seen,
            Turn.plan(seen),
            new RolloutDecision.Forget(removed.stream().map(RemovedNode::node).toList()));
  }

  static TurnPlan neverDropsARemovedNode(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return plan.rollout() instanceof RolloutDecision.Forget
        ? Changed.with(seen, plan, new RolloutDecision.Nothing())
        : plan;
  }

  static TurnPlan actsOverAnUnknownRevision(ObservedState seen) {
    return seen.rollout() instanceof Unknown(_, var problem)
        ? Turn.plan(seen.with(new Rolling(problem, seen.stored().published())))
        : Turn.plan(seen);
  }
}
