package io.keyward.operator;

import io.keyward.core.event.PlanWords;
import io.keyward.core.model.Condition;
import io.keyward.core.model.ObservedState;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// What the operator would do next for an API server, planned as the operator plans it.
///
/// @param apiServer its name
/// @param runs the configuration that its instances run; `-` where there is none
/// @param next a sentence for each next step; empty until something changes
/// @param conditions a sentence for each condition that has a message
public record Explanation(
    String apiServer, String runs, List<String> next, List<String> conditions) {
  public Explanation {
    next = List.copyOf(next);
    conditions = List.copyOf(conditions);
  }

  static Explanation of(String apiServer, ObservedState state) {
    TurnPlan plan = Turn.plan(state);
    return new Explanation(
        apiServer,
        state.deployed().map(Object::toString).orElse("-"),
        PlanWords.next(plan),
        Stream.concat(
                PlanWords.spoken(plan.conditions()).stream(),
                PlanWords.spoken(reported(state.conditions(), plan.conditions())).stream())
            .toList());
  }

  /// Problems that only the operator itself knows, for example that it lacks a permission that the
  /// administrator has, or that an object not created by Keyward blocked it.
  private static List<Condition> reported(List<Condition> stand, List<Condition> planned) {
    Set<String> known =
        planned.stream()
            .filter(Condition::isDegraded)
            .map(Condition::type)
            .collect(Collectors.toSet());
    return stand.stream()
        .filter(Condition::isDegraded)
        .filter(one -> !known.contains(one.type()))
        .toList();
  }
}
