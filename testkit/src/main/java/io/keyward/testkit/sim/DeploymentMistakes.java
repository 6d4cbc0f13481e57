package io.keyward.testkit.sim;

import io.keyward.core.model.ObservedState;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;

/// Mistakes about API servers that are Deployments.
final class DeploymentMistakes {
  private DeploymentMistakes() {}

  static TurnPlan deploysWhilePodsAreReplaced(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return plan.rollout() instanceof RolloutDecision.Wait
        ? seen.revisions()
            .deployment()
            .filter(one -> !one.needs().isEmpty())
            .map(one ->
                Changed.with(
                    seen, plan, new RolloutDecision.Deploy(one.name(), seen.revisions().latest())))
            .orElse(plan)
        : plan;
  }

  static TurnPlan deploysAnOlderRevision(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return plan.rollout() instanceof RolloutDecision.Deploy(var name, long revision) && revision > 1
        ? Changed.with(seen, plan, new RolloutDecision.Deploy(name, revision - 1))
        : plan;
  }

  static TurnPlan neverDeploys(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return plan.rollout() instanceof RolloutDecision.Deploy
        ? Changed.with(seen, plan, new RolloutDecision.Nothing())
        : plan;
  }
}
