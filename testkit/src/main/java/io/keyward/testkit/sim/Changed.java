package io.keyward.testkit.sim;

import io.keyward.core.condition.ConditionReporter;
import io.keyward.core.condition.Decisions;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.rollout.Rollout.Converged;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.turn.TurnPlan;
import java.util.List;
import java.util.Map;
import java.util.function.Function;

/// Plans and states in which a mutant changes one thing.
final class Changed {
  private Changed() {}

  static boolean waitsFor(TurnPlan plan, Blocker blocker) {
    return plan.key() instanceof KeyDecision.Wait(var on, _) && on == blocker;
  }

  static KeyDecision mint(ObservedState seen) {
    return mint(seen, seen.ring().newest().map(key -> key.serial().next()).orElse(KeySerial.FIRST));
  }

  static KeyDecision mint(ObservedState seen, KeySerial serial) {
    return new KeyDecision.Mint(
        serial,
        seen.wanted().mode(),
        seen.wanted().kms().map(kms -> kms.keyFor(serial)),
        "mutant",
        "");
  }

  static TurnPlan with(ObservedState seen, TurnPlan plan, KeyDecision key) {
    return copy(seen, plan, plan.migration(), key, plan.layout(), plan.prune(), plan.rollout());
  }

  static TurnPlan with(ObservedState seen, TurnPlan plan, MigrationDecision migration) {
    return copy(seen, plan, migration, plan.key(), plan.layout(), plan.prune(), plan.rollout());
  }

  static TurnPlan with(ObservedState seen, TurnPlan plan, LayoutDecision layout) {
    return copy(seen, plan, plan.migration(), plan.key(), layout, plan.prune(), plan.rollout());
  }

  static TurnPlan with(ObservedState seen, TurnPlan plan, PruneDecision prune) {
    return copy(seen, plan, plan.migration(), plan.key(), plan.layout(), prune, plan.rollout());
  }

  static TurnPlan with(ObservedState seen, TurnPlan plan, RolloutDecision rollout) {
    return copy(seen, plan, plan.migration(), plan.key(), plan.layout(), plan.prune(), rollout);
  }

  /// The words follow from the decisions, also from wrong ones.
  private static TurnPlan copy(
      ObservedState seen,
      TurnPlan plan,
      MigrationDecision migration,
      KeyDecision key,
      LayoutDecision layout,
      PruneDecision prune,
      RolloutDecision rollout) {
    return new TurnPlan(
        migration,
        key,
        layout,
        plan.preflight(),
        plan.rotation(),
        prune,
        plan.health(),
        rollout,
        ConditionReporter.report(
            seen,
            new Decisions(
                key, layout, migration, plan.preflight(), plan.rotation(), prune, plan.health()),
            Map.of()));
  }

  static TurnPlan saying(TurnPlan plan, List<Condition> conditions) {
    return new TurnPlan(
        plan.migration(),
        plan.key(),
        plan.layout(),
        plan.preflight(),
        plan.rotation(),
        plan.prune(),
        plan.health(),
        plan.rollout(),
        conditions);
  }

  /// The state with other configurations, written and running.
  static ObservedState view(
      ObservedState seen, Function<EncryptionLayout, EncryptionLayout> change) {
    Stored stored = seen.stored();
    ObservedState other =
        seen.with(new Stored(stored.secrets(), stored.damaged(), stored.published().map(change)));
    return seen.rollout() instanceof Converged(var revision, var layout, var witness, var nodes)
        ? other.with(new Converged(revision, layout.map(change), witness, nodes))
        : other;
  }
}
