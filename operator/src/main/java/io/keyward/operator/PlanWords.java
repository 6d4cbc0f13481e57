package io.keyward.operator;

import io.keyward.core.model.Condition;
import io.keyward.core.turn.TurnPlan;
import java.util.ArrayList;
import java.util.List;

/// A plan in words: one line for a log, and sentences for `keyward explain`.
public final class PlanWords {
  private PlanWords() {}

  /// One line.
  public static String summary(TurnPlan plan) {
    return "key "
        + name(plan.key())
        + ", configuration "
        + name(plan.layout())
        + ", migration "
        + name(plan.migration())
        + ", preflight "
        + name(plan.preflight());
  }

  private static String name(Object decision) {
    return decision.getClass().getSimpleName();
  }

  /// What is so, what is waited for, since when: the conditions that say something.
  public static List<String> sentences(TurnPlan plan) {
    return spoken(plan.conditions());
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
