package io.keyward.testkit.sim;

import io.keyward.core.key.KeyDecision;
import io.keyward.core.key.KeyDecision.Keep;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.layout.LayoutDecision.AddReadKeys;
import io.keyward.core.layout.LayoutDecision.PromoteWriteKey;
import io.keyward.core.layout.LayoutDecision.Rebuild;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.migration.MigrationDecision.Mark;
import io.keyward.core.migration.MigrationDecision.Work;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.Condition;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KeyStack;
import io.keyward.core.model.KeyStage;
import io.keyward.core.model.KmsWish;
import io.keyward.core.model.Mode;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Rollout.Converged;
import io.keyward.core.model.Rollout.Rolling;
import io.keyward.core.model.Rollout.Unknown;
import io.keyward.core.model.Stored;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.rotation.RotationDecision;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// Engines with a known mistake, at least one for each statement of the design. A simulator that
/// does not find them, by the statement they break, is worth nothing.
public enum Mutant implements Brain {
  /// A KMS provider whose key secret is lost leaves the configuration.
  W2_LOST_SECRET_LOSES_PROVIDER(2) {
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
  W6_PLAINTEXT_ON_REBUILD(5) {
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
  W7_RESOURCE_DROPPED_AT_ONCE(2) {
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
  NO_READ_ONLY_STAGE(1) {
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
  PRUNES_ONE_TOO_MANY(2) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      List<Key> used = seen.deployed().map(EncryptionLayout::keys).orElse(List.of());
      if (plan.prune() instanceof PruneDecision.Wait || used.size() < 2) {
        return plan;
      }
      var serials = new TreeSet<KeySerial>();
      serials.add(used.getLast().serial());
      return with(plan, new PruneDecision.Delete(serials, List.of()));
    }
  },
  /// A new key does not wait until the one before it is migrated.
  MINTS_A_SECOND_KEY(3) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      return waitsFor(plan, Blocker.MIGRATION) ? with(plan, mint(seen)) : plan;
    }
  },
  /// A key that is no longer asked for is taken back although it may have written.
  TAKES_BACK_WHAT_WROTE(2) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      Optional<Key> bad =
          seen.ring()
              .newest()
              .filter(key -> key.mode() == Mode.KMS && key.stage() == KeyStage.WRITE)
              .filter(key -> !KmsWish.isSameRemoteKey(seen.wanted(), key));
      return waitsFor(plan, Blocker.ROLLOUT) && bad.isPresent()
          ? seen.stored()
              .published()
              .map(layout -> with(plan, without(layout, bad.orElseThrow().serial())))
              .orElse(plan)
          : plan;
    }
  },
  /// A configuration is written on top of one that has not arrived everywhere.
  ACTS_WHILE_INSTANCES_DIFFER(4) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      return plan.layout() instanceof LayoutDecision.Wait && !seen.isConverged()
          ? seen.stored()
              .published()
              .map(layout -> with(plan, new LayoutDecision.Republish(layout)))
              .orElse(plan)
          : plan;
    }
  },
  /// A KEK that the KMS rotated is answered with a new key.
  ROTATION_MINTS_A_KEY(6) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      return plan.rotation() instanceof RotationDecision.Remigrate && plan.key() instanceof Keep
          ? with(plan, mint(seen))
          : plan;
    }
  },
  /// A KMS configuration reaches the cluster untried.
  SKIPS_THE_PREFLIGHT(7) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      return waitsFor(plan, Blocker.PREFLIGHT) ? with(plan, mint(seen)) : plan;
    }
  },
  /// Nobody is told what is waited for.
  WAITS_IN_SILENCE(8) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      return with(
          plan,
          plan.conditions().stream().filter(c -> !c.type().equals("EncryptionWaiting")).toList());
    }
  },
  /// A migration is never written down, so it begins again and again.
  NEVER_RECORDS_A_MIGRATION(9) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      return plan.migration() instanceof Work(var steps)
          ? with(plan, new Work(steps.stream().filter(s -> !(s instanceof Mark)).toList()))
          : plan;
    }
  },
  /// A condition shows what is wrong with a credential by showing it.
  TELLS_A_CREDENTIAL(10) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      var said = new ArrayList<Condition>(plan.conditions());
      seen.wanted()
          .kms()
          .flatMap(kms -> kms.secrets().entries().values().stream().findFirst())
          .map(bytes -> new String(bytes.reveal(), StandardCharsets.UTF_8))
          .ifPresent(text ->
              said.add(
                  new Condition(
                      "KMSPluginsDegraded",
                      Condition.Status.TRUE,
                      "Error",
                      "cannot log in with " + text,
                      seen.at())));
      return with(plan, said);
    }
  },

  /// A configuration that is incompatible with the running one becomes a revision.
  ROLLS_OUT_WHAT_DOES_NOT_FIT(2) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      boolean isNew = !seen.revisions().published().equals(seen.revisions().latestContent());
      return plan.rollout() instanceof RolloutDecision.Wait
              && isNew
              && !(seen.rollout() instanceof Unknown)
          ? with(plan, new RolloutDecision.Snapshot(seen.revisions().latest() + 1))
          : plan;
    }
  },

  /// The next node does not wait for the one before it.
  ROLLS_TWO_NODES_AT_ONCE(4) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      long latest = seen.revisions().latest();
      return plan.rollout() instanceof RolloutDecision.Wait
          ? seen.revisions().nodes().stream()
              .filter(node -> node.target() < latest)
              .findFirst()
              .map(node -> with(plan, new RolloutDecision.Advance(node.name(), latest)))
              .orElse(plan)
          : plan;
    }
  },

  /// A revision gets the number of another one.
  REUSES_A_REVISION_NUMBER(15) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      TurnPlan plan = Turn.plan(seen);
      return plan.rollout() instanceof RolloutDecision.Snapshot(long revision) && revision > 1
          ? with(plan, new RolloutDecision.Snapshot(revision - 1))
          : plan;
    }
  },

  /// A node that runs a revision which the cluster does not know is taken for one on its way.
  ACTS_OVER_AN_UNKNOWN_REVISION(12) {
    @Override
    public TurnPlan plan(ObservedState seen) {
      return seen.rollout() instanceof Unknown(_, var problem)
          ? Turn.plan(seen.with(new Rolling(problem, seen.stored().published())))
          : Turn.plan(seen);
    }
  };

  private final int statement;

  Mutant(int statement) {
    this.statement = statement;
  }

  /// The number of the statement that this mistake breaks.
  public int statement() {
    return statement;
  }

  private static boolean waitsFor(TurnPlan plan, Blocker blocker) {
    return plan.key() instanceof KeyDecision.Wait(var on, _) && on == blocker;
  }

  private static KeyDecision mint(ObservedState seen) {
    KeySerial serial = seen.ring().newest().map(key -> key.serial().next()).orElse(KeySerial.FIRST);
    return new KeyDecision.Mint(
        serial,
        seen.wanted().mode(),
        seen.wanted().kms().map(kms -> kms.keyFor(serial)),
        "mutant",
        "");
  }

  private static LayoutDecision without(EncryptionLayout layout, KeySerial serial) {
    return new LayoutDecision.Retract(
        layout.mapStacks(entry -> {
          KeyStack stack = entry.getValue();
          var kept = new TreeSet<KeySerial>();
          stack.keys().forEach(key -> kept.add(key.serial()));
          kept.remove(serial);
          return stack
              .writing(
                  stack.writes(serial)
                      ? Optional.ofNullable(kept.isEmpty() ? null : kept.last())
                      : stack.write())
              .keeping(kept);
        }),
        new TreeSet<>(List.of(serial)));
  }

  private static KeyStack withoutUnbackedKms(KeyStack stack, Stored stored) {
    var backed = new TreeSet<KeySerial>();
    stored.secrets().forEach(key -> backed.add(key.serial()));
    stack.keys().stream()
        .filter(key -> key.mode() != Mode.KMS)
        .forEach(key -> backed.add(key.serial()));
    return stack.keeping(backed).writing(stack.write().filter(backed::contains));
  }

  private static TurnPlan with(TurnPlan plan, KeyDecision key) {
    return copy(plan, plan.migration(), key, plan.layout(), plan.prune(), plan.rollout());
  }

  private static TurnPlan with(TurnPlan plan, MigrationDecision migration) {
    return copy(plan, migration, plan.key(), plan.layout(), plan.prune(), plan.rollout());
  }

  private static TurnPlan with(TurnPlan plan, LayoutDecision layout) {
    return copy(plan, plan.migration(), plan.key(), layout, plan.prune(), plan.rollout());
  }

  private static TurnPlan with(TurnPlan plan, PruneDecision prune) {
    return copy(plan, plan.migration(), plan.key(), plan.layout(), prune, plan.rollout());
  }

  private static TurnPlan with(TurnPlan plan, RolloutDecision rollout) {
    return copy(plan, plan.migration(), plan.key(), plan.layout(), plan.prune(), rollout);
  }

  private static TurnPlan copy(
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
        plan.conditions());
  }

  private static TurnPlan with(TurnPlan plan, List<Condition> conditions) {
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

  private static ObservedState view(
      ObservedState seen, Function<EncryptionLayout, EncryptionLayout> change) {
    Stored stored = seen.stored();
    ObservedState other =
        seen.with(new Stored(stored.secrets(), stored.damaged(), stored.published().map(change)));
    return seen.rollout() instanceof Converged(var revision, var layout, var witness, var nodes)
        ? other.with(new Converged(revision, layout.map(change), witness, nodes))
        : other;
  }
}
