package io.keyward.core.event;

import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Condition;
import io.keyward.core.narrator.Narrator;
import io.keyward.core.rotation.RotationDecision;
import io.keyward.core.turn.TurnPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A whole plan in words, for the log and for `keyward explain`.
public final class PlanWords {
  private PlanWords() {}

  /// What comes next, a sentence for each thing. Empty where nothing does.
  public static List<String> next(TurnPlan plan) {
    var lines = new ArrayList<String>();
    if (plan.migration() instanceof MigrationDecision.Work(var steps)) {
      steps.stream().map(Narrator::of).forEach(lines::add);
    }
    Stream.of(
            Narrator.of(plan.key()),
            Narrator.of(plan.layout()),
            Narrator.of(plan.preflight()),
            // What follows from a rotation is a migration, and told as one.
            plan.rotation() instanceof RotationDecision.Settling settling
                ? Narrator.of(settling)
                : "",
            Narrator.of(plan.prune()),
            Narrator.of(plan.rollout()))
        .filter(line -> !line.isEmpty())
        .forEach(lines::add);
    return List.copyOf(lines);
  }

  /// One sentence for each condition that says something.
  public static List<String> spoken(List<Condition> conditions) {
    var lines = new ArrayList<String>();
    for (Condition condition : conditions) {
      if (!condition.message().isEmpty()) {
        lines.add(
            condition.type()
                + " is "
                + condition.status().word()
                + " since "
                + condition.since()
                + " ("
                + condition.reason()
                + "): "
                + condition.message());
      }
    }
    return List.copyOf(lines);
  }
}
