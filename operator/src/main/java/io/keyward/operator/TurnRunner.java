package io.keyward.operator;

import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Key;
import io.keyward.core.model.ObservedState;
import io.keyward.core.preflight.PreflightDecision;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.util.HashMap;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/// Carries one plan out, in the order of the plan. A part that fails is named in the conditions of
/// the next turn and holds up no other part.
final class TurnRunner {
  private static final Logger LOG = System.getLogger(TurnRunner.class.getName());

  /// Whoever loses this many races in a row is not in a race.
  private static final int TOO_OFTEN = 20;

  private final Site site;
  private final Map<String, Integer> crossed = new HashMap<>();
  private Map<String, String> failures = Map.of();

  TurnRunner(Site site) {
    this.site = site;
  }

  /// What was planned, and whether something was written, so that the next look is worth taking.
  record Done(TurnPlan plan, boolean changed, ObservedState seen, Set<String> failed) {}

  Done turn() {
    Look look = site.look();
    TurnPlan plan = Turn.plan(look.state(), failures);
    if (!look.isManaged()) {
      return new Done(plan, false, look.state(), Set.of());
    }
    var failed = new TreeMap<String, String>();
    var writes = new Writes(failed);
    if (plan.migration() instanceof MigrationDecision.Work(var steps)) {
      steps.forEach(step -> writes.run("migration", () -> migrate(look, step)));
    }
    writes.run("key", () -> key(look, plan.key()));
    plan.layout()
        .next()
        .ifPresent(layout ->
            writes.run(
                "layout",
                () -> {
                  look.publish(layout);
                  look.announce("EncryptionConfigurationWritten", words(plan.layout()));
                  return true;
                }));
    writes.run("preflight", () -> preflight(look, plan.preflight()));
    if (plan.prune() instanceof PruneDecision.Delete delete) {
      writes.run(
          "prune",
          () -> {
            look.delete(delete);
            look.announce(
                "EncryptionKeysPruned",
                "Successfully pruned "
                    + (delete.serials().size() + delete.damaged().size())
                    + " secrets");
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
          look.carryOut(next);
          return switch (next) {
            case RolloutDecision.Complete _,
                RolloutDecision.Snapshot _,
                RolloutDecision.Advance _,
                RolloutDecision.Deploy _,
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
    return new Done(plan, writes.changed, look.state(), failures.keySet());
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

  private static boolean key(Look look, KeyDecision decision) {
    return switch (decision) {
      case KeyDecision.Mint mint -> {
        look.mint(mint);
        look.announce(
            "EncryptionKeyCreated",
            "Key " + mint.serial() + " successfully created: [\"" + mint.internalReason() + "\"]");
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
      case KeyDecision.Idle _, KeyDecision.Keep _, KeyDecision.Wait _, KeyDecision.Refuse _ ->
          false;
    };
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

  private static String words(LayoutDecision decision) {
    return switch (decision) {
      case LayoutDecision.AddReadKeys add -> "Every instance learns to read: " + add.layout();
      case LayoutDecision.PromoteWriteKey promote ->
          "Promoting key \"" + promote.serial() + "\" to write key: " + promote.layout();
      case LayoutDecision.DropReadKeys drop ->
          "Nothing depends on keys " + drop.dropped() + " any more: " + drop.layout();
      case LayoutDecision.RefreshPlugins same -> "Plugins get other settings: " + same.layout();
      case LayoutDecision.Rebuild rebuild -> "Written anew from key secrets: " + rebuild.layout();
      case LayoutDecision.Republish again -> "Written again as it runs: " + again.layout();
      case LayoutDecision.Idle _, LayoutDecision.InSync _, LayoutDecision.Wait _ -> "";
    };
  }

  /// Something that may write.
  private interface Part {
    boolean run();
  }

  private final class Writes {
    private final Map<String, String> failed;
    private boolean changed;

    Writes(Map<String, String> failed) {
      this.failed = failed;
    }

    void run(String feature, Part part) {
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
        LOG.log(Level.WARNING, site.component() + ": " + feature + " failed", e);
        failed.put(feature, String.valueOf(e.getMessage()));
      }
    }
  }
}
