package io.keyward.testkit.sim;

import java.util.Optional;

/// Runs scenarios and says which statement of the design broke, if one did.
public final class Simulator {
  /// What one run came to.
  ///
  /// @param steps events, and plans while it settled
  public record Outcome(Optional<Violation> violation, long steps) {}

  private Simulator() {}

  public static Outcome run(Scenario scenario, Brain brain) {
    var world = new World(scenario.instances(), brain);
    world.keepsBackups =
        scenario.events().stream().anyMatch(event -> event.kind() == Event.Kind.RESTORE_ETCD);
    var happening = new Happening(world);
    long steps = 0;
    try {
      for (Event event : scenario.events()) {
        steps++;
        happening.happen(event);
      }
      long before = world.plans;
      new Quiescence(world).settle();
      return new Outcome(Optional.empty(), steps + world.plans - before);
    } catch (Violation violation) {
      return new Outcome(Optional.of(violation), steps);
    }
  }
}
