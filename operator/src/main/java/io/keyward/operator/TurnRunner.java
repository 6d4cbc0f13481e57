package io.keyward.operator;

import io.keyward.core.event.EventReporter;
import io.keyward.core.event.TurnEvent;
import io.keyward.core.event.TurnEvent.Part;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Key;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Rollout;
import io.keyward.core.preflight.PreflightDecision;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Carries one plan out, in the order of the plan. A part that fails is named in the conditions of
/// the next turn and holds up no other part.
final class TurnRunner {
  private static final Logger LOG = System.getLogger(TurnRunner.class.getName());

  /// Whoever loses this many races in a row is not in a race.
  private static final int TOO_OFTEN = 20;

  private static final List<String> WITHOUT_CONDITION = List.of("rollout", "health", "conditions");

  private final Site site;
  private final Map<String, Integer> crossed = new HashMap<>();
  private Map<String, String> failures = Map.of();

  TurnRunner(Site site) {
    this.site = site;
  }

  /// What was planned, and whether something was written, so that the next look is worth taking.
  record Done(
      TurnPlan plan,
      RolloutDecision rollout,
      boolean changed,
      ObservedState seen,
      Map<String, String> failed) {
    /// What failed and has no condition of its own.
    Optional<String> unsaid() {
      return WITHOUT_CONDITION.stream()
          .filter(failed::containsKey)
          .map(feature -> feature + ": " + failed.get(feature))
          .reduce((one, other) -> one + "; " + other);
    }
  }

  Done turn() {
    Look look = site.look();
    TurnPlan plan = Turn.plan(look.state(), failures);
    if (!look.isManaged()) {
      look.rest();
      return new Done(plan, new RolloutDecision.Nothing(), false, look.state(), Map.of());
    }
    List<TurnEvent> events = EventReporter.report(look.state(), plan);
    var failed = new TreeMap<String, String>();
    var writes = new Writes(failed);
    writes.run(
        "migration",
        () -> {
          // What is re-encrypted now could end up under a key that another node does not have.
          if (look.state().rollout() instanceof Rollout.Unknown) {
            look.rest();
          } else {
            look.tend();
          }
          return false;
        });
    if (plan.migration() instanceof MigrationDecision.Work(var steps)) {
      steps.forEach(step -> writes.run("migration", () -> migrate(look, step)));
    }
    writes.run("key", () -> key(look, plan.key(), events));
    if (plan.layout() instanceof LayoutDecision.Commit(var key)) {
      writes.run(
          "layout",
          () -> {
            look.put(key);
            return true;
          });
    }
    plan.layout()
        .next()
        .ifPresent(layout ->
            writes.run(
                "layout",
                () -> {
                  look.publish(layout);
                  look.announce("EncryptionConfigurationWritten", PlanWords.layout(plan.layout()));
                  tell(look, events, Part.LAYOUT);
                  return true;
                }));
    writes.run("preflight", () -> preflight(look, plan.preflight()));
    if (plan.prune() instanceof PruneDecision.Delete delete) {
      writes.run(
          "prune",
          () -> {
            look.delete(delete);
            tell(look, events, Part.PRUNE);
            return true;
          });
    }
    if (!plan.health().orphans().isEmpty()) {
      writes.run(
          "health",
          () -> {
            look.forget(plan.health().orphans());
            return true;
          });
    }
    writes.run(
        "rollout",
        () -> {
          RolloutDecision next = RolloutDecider.decide(look.rollout());
          writes.rollout = next;
          look.carryOut(next);
          return switch (next) {
            case RolloutDecision.Complete _,
                RolloutDecision.Snapshot _,
                RolloutDecision.Advance _,
                RolloutDecision.Deploy _,
                RolloutDecision.Ask _,
                RolloutDecision.Forget _ ->
                true;
            case RolloutDecision.Nothing _, RolloutDecision.Wait _, RolloutDecision.Refuse _ ->
                false;
          };
        });
    writes.run(
        "conditions",
        () -> {
          look.report(plan.conditions());
          return false;
        });
    failures = Map.copyOf(failed);
    return new Done(plan, writes.rollout, writes.changed, look.state(), failures);
  }

  private static boolean migrate(Look look, MigrationDecision.Step step) {
    return switch (step) {
      case MigrationDecision.Start start -> {
        look.start(start);
        yield true;
      }
      case MigrationDecision.Abort abort -> {
        look.abort(abort.resource());
        yield true;
      }
      case MigrationDecision.Mark mark -> {
        look.mark(mark);
        yield true;
      }
      case MigrationDecision.Unmark unmark -> {
        look.unmark(unmark);
        yield true;
      }
      case MigrationDecision.Watch _, MigrationDecision.RetryLater _ -> false;
    };
  }

  private static boolean key(Look look, KeyDecision decision, List<TurnEvent> events) {
    return switch (decision) {
      case KeyDecision.Mint mint -> {
        look.mint(mint);
        tell(look, events, Part.KEY);
        yield true;
      }
      case KeyDecision.Restore(var keys) -> {
        keys.stream().map(Key::asBacked).forEach(look::put);
        yield true;
      }
      case KeyDecision.Refresh(var keys) -> {
        keys.forEach(look::put);
        yield true;
      }
      case KeyDecision.Retract(var key) -> {
        look.put(key);
        tell(look, events, Part.KEY);
        yield true;
      }
      case KeyDecision.Idle _, KeyDecision.Keep _, KeyDecision.Wait _, KeyDecision.Refuse _ ->
          false;
    };
  }

  private static void tell(Look look, List<TurnEvent> events, Part part) {
    events.stream()
        .filter(event -> event.part() == part)
        .forEach(event -> look.announce(event.reason(), event.message()));
  }

  private static boolean preflight(Look look, PreflightDecision decision) {
    return switch (decision) {
      case PreflightDecision.Deploy(var config, int attempt) -> {
        look.deployPreflight(config, attempt);
        yield true;
      }
      case PreflightDecision.Clean _ -> {
        look.cleanPreflight();
        yield true;
      }
      case PreflightDecision.Conclude(var result) -> {
        look.conclude(result);
        yield true;
      }
      case PreflightDecision.NotNeeded _,
          PreflightDecision.Passed _,
          PreflightDecision.Watch _,
          PreflightDecision.Backoff _ ->
          false;
    };
  }

  /// Something that may write.
  private interface Write {
    boolean run();
  }

  private final class Writes {
    private final Map<String, String> failed;
    private boolean changed;
    private RolloutDecision rollout = new RolloutDecision.Nothing();

    Writes(Map<String, String> failed) {
      this.failed = failed;
    }

    void run(String feature, Write part) {
      try {
        changed |= part.run();
        crossed.remove(feature);
      } catch (ChangedMeanwhile e) {
        LOG.log(Level.DEBUG, site.component() + ": " + e.getMessage());
        if (crossed.merge(feature, 1, Integer::sum) < TOO_OFTEN) {
          changed = true;
        } else {
          failed.put(
              feature,
              e.getMessage()
                  + ", again and again: either another operator works on the same cluster, or an"
                  + " object that is not ours has our name");
        }
      } catch (RuntimeException e) {
        // Whoever is told to stop has not failed.
        Level level = Thread.currentThread().isInterrupted() ? Level.DEBUG : Level.WARNING;
        LOG.log(level, site.component() + ": " + feature + " failed", e);
        failed.put(feature, String.valueOf(e.getMessage()));
      }
    }
  }
}
