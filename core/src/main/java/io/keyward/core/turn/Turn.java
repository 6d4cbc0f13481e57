package io.keyward.core.turn;

import io.keyward.core.condition.ConditionReporter;
import io.keyward.core.condition.Decisions;
import io.keyward.core.health.HealthDecider;
import io.keyward.core.key.KeyDecider;
import io.keyward.core.layout.LayoutDecider;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecider;
import io.keyward.core.model.ObservedState;
import io.keyward.core.preflight.PreflightDecider;
import io.keyward.core.prune.PruneDecider;
import io.keyward.core.rollout.RolloutDecider;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.rotation.RotationDecider;
import io.keyward.core.rotation.RotationDecision;
import java.util.Map;

/// One turn: all decisions for one look at the world.
public final class Turn {
  private Turn() {}

  public static TurnPlan plan(ObservedState seen) {
    return plan(seen, Map.of());
  }

  /// The plan, with words for what failed.
  ///
  /// @param failures what could not be carried out in the turn before, by feature word
  public static TurnPlan plan(ObservedState seen, Map<String, String> failures) {
    LayoutDecision layout = LayoutDecider.decide(seen);
    RotationDecision rotation = RotationDecider.decide(seen);
    boolean stable = layout instanceof LayoutDecision.InSync && seen.isSettled();
    var decisions =
        new Decisions(
            KeyDecider.decide(seen),
            layout,
            MigrationDecider.decide(seen, stable, RotationDecider.sight(seen, rotation)),
            PreflightDecider.decide(seen),
            rotation,
            PruneDecider.decide(seen),
            HealthDecider.decide(seen));
    return new TurnPlan(
        decisions.migration(),
        decisions.key(),
        decisions.layout(),
        decisions.preflight(),
        decisions.rotation(),
        decisions.prune(),
        decisions.health(),
        rollout(seen, layout),
        ConditionReporter.report(seen, decisions, failures));
  }

  /// A configuration that this turn publishes is rolled out by a later one, which has seen it.
  private static RolloutDecision rollout(ObservedState seen, LayoutDecision layout) {
    return layout.next().isPresent()
        ? new RolloutDecision.Nothing()
        : RolloutDecider.decide(seen, layout);
  }
}
