package io.keyward.core.turn;

import io.keyward.core.health.HealthDecision;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Condition;
import io.keyward.core.preflight.PreflightDecision;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.rotation.RotationDecision;
import java.util.List;

/// Everything that follows from one look. Carried out in the order of the components.
public record TurnPlan(
    MigrationDecision migration,
    KeyDecision key,
    LayoutDecision layout,
    PreflightDecision preflight,
    RotationDecision rotation,
    PruneDecision prune,
    HealthDecision health,
    RolloutDecision rollout,
    List<Condition> conditions) {
  public TurnPlan {
    conditions = List.copyOf(conditions);
  }

  /// Whether nothing is to be done and the plan waits for nothing, so that only an event or a long
  /// time changes the plan.
  public boolean isAtRest() {
    return (key instanceof KeyDecision.Idle || key instanceof KeyDecision.Keep)
        && (layout instanceof LayoutDecision.Idle || layout instanceof LayoutDecision.InSync)
        && migration instanceof MigrationDecision.Idle
        && (preflight instanceof PreflightDecision.NotNeeded
            || preflight instanceof PreflightDecision.Passed)
        && (rotation instanceof RotationDecision.NotApplicable
            || rotation instanceof RotationDecision.Steady)
        && prune instanceof PruneDecision.Nothing
        && rollout instanceof RolloutDecision.Nothing;
  }
}
