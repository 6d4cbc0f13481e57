package io.keyward.testkit.sim;

import java.util.ArrayList;
import java.util.List;

/// Cuts a failing scenario down to few events that still break the same statement.
public final class Shrinker {
  private Shrinker() {}

  public static Scenario shrink(Scenario failing, Brain brain) {
    int statement = statement(failing, brain);
    Scenario best = failing;
    for (int size = Math.max(1, best.events().size() / 2); size >= 1; size /= 2) {
      int at = 0;
      while (at < best.events().size()) {
        Scenario shorter = without(best, at, size);
        if (statement(shorter, brain) == statement) {
          best = shorter;
        } else {
          at += size;
        }
      }
    }
    Scenario small = new Scenario(List.of(1, 1, 1), best.events());
    return statement(small, brain) == statement ? small : best;
  }

  private static Scenario without(Scenario scenario, int from, int size) {
    var events = new ArrayList<>(scenario.events());
    events.subList(from, Math.min(from + size, events.size())).clear();
    return new Scenario(scenario.instances(), events);
  }

  /// Zero where nothing broke.
  private static int statement(Scenario scenario, Brain brain) {
    return Simulator.run(scenario, brain).violation().map(Violation::statement).orElse(0);
  }
}
