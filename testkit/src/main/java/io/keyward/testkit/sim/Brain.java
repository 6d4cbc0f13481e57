package io.keyward.testkit.sim;

import io.keyward.core.model.ObservedState;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import io.keyward.testkit.sim.node.AgentRules;

/// Who decides in the simulated world, and how writes are made: the engine, or a mutant of it that
/// must be found out.
@FunctionalInterface
public interface Brain {
  Brain ENGINE = Turn::plan;

  TurnPlan plan(ObservedState seen);

  /// The rules of node agents.
  default AgentRules agent() {
    return AgentRules.ENGINE;
  }

  /// Whether writes are refused if this precondition does not hold.
  ///
  /// @param precondition the name of a [Precondition]
  default boolean heeds(String precondition) {
    return true;
  }
}
