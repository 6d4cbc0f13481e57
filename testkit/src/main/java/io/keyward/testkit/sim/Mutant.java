package io.keyward.testkit.sim;

import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.layout.LayoutDecision.AddReadKeys;
import io.keyward.core.layout.LayoutDecision.PromoteWriteKey;
import io.keyward.core.layout.LayoutDecision.Rebuild;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KeyStack;
import io.keyward.core.model.Mode;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Rollout.Converged;
import io.keyward.core.model.Stored;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// Engines with a known mistake. A simulator that does not find them is worth nothing.
public enum Mutant implements Brain {
  /// A KMS provider whose key secret is lost leaves the configuration.
  W2_LOST_SECRET_LOSES_PROVIDER {
    @Override
    public TurnPlan plan(ObservedState seen) {
      return Turn.plan(
          view(
              seen,
              layout ->
                  layout.mapStacks(entry -> withoutUnbackedKms(entry.getValue(), seen.stored()))));
    }
  },
  /// A configuration that vanished is rebuilt with identity as the writer.
  W6_PLAINTEXT_ON_REBUILD {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      return plan.layout() instanceof Rebuild(var layout)
          ? with(
              plan,
              new Rebuild(layout.mapStacks(entry -> entry.getValue().writing(Optional.empty()))))
          : plan;
    }
  },
  /// A resource taken off the list leaves the configuration at once.
  W7_RESOURCE_DROPPED_AT_ONCE {
    @Override
    public TurnPlan plan(ObservedState seen) {
      return Turn.plan(
          view(
              seen,
              layout -> {
                var stacks = new TreeMap<Resource, KeyStack>(layout.stacks());
                stacks.keySet().retainAll(seen.wanted().resources());
                return new EncryptionLayout(stacks);
              }));
    }
  },
  /// A new key writes at once, without the stage in which all learn to read it.
  NO_READ_ONLY_STAGE {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      Optional<Key> newest = seen.ring().newest();
      return plan.layout() instanceof AddReadKeys(var layout) && newest.isPresent()
          ? with(
              plan,
              new PromoteWriteKey(
                  layout.mapStacks(entry -> entry.getValue().writing(newest.map(Key::serial))),
                  newest.orElseThrow().serial()))
          : plan;
    }
  },
  /// The oldest key in use is pruned together with those that are not.
  PRUNES_ONE_TOO_MANY {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      List<Key> used = seen.deployed().map(EncryptionLayout::keys).orElse(List.of());
      if (plan.prune() instanceof PruneDecision.Wait || used.size() < 2) {
        return plan;
      }
      var serials = new TreeSet<KeySerial>();
      serials.add(used.getLast().serial());
      return new TurnPlan(
          plan.migration(),
          plan.key(),
          plan.layout(),
          plan.preflight(),
          plan.rotation(),
          new PruneDecision.Delete(serials, List.of()),
          plan.health(),
          plan.conditions());
    }
  };

  private static KeyStack withoutUnbackedKms(KeyStack stack, Stored stored) {
    var backed = new TreeSet<KeySerial>();
    stored.secrets().forEach(key -> backed.add(key.serial()));
    stack.keys().stream()
        .filter(key -> key.mode() != Mode.KMS)
        .forEach(key -> backed.add(key.serial()));
    return stack.keeping(backed).writing(stack.write().filter(backed::contains));
  }

  private static TurnPlan with(TurnPlan plan, LayoutDecision layout) {
    return new TurnPlan(
        plan.migration(),
        plan.key(),
        layout,
        plan.preflight(),
        plan.rotation(),
        plan.prune(),
        plan.health(),
        plan.conditions());
  }

  private static ObservedState view(
      ObservedState seen, Function<EncryptionLayout, EncryptionLayout> change) {
    return new ObservedState(
        seen.at(),
        seen.component(),
        seen.wanted(),
        new Stored(
            seen.stored().secrets(),
            seen.stored().damaged(),
            seen.stored().published().map(change)),
        seen.rollout() instanceof Converged(var revision, var layout, var witness, var nodes)
            ? new Converged(revision, layout.map(change), witness, nodes)
            : seen.rollout(),
        seen.activity(),
        seen.conditions(),
        seen.settings());
  }
}
