package io.keyward.core.event;

import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Condition;
import io.keyward.core.model.Key;
import io.keyward.core.model.RemovedNode;
import io.keyward.core.preflight.PreflightDecision;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.rotation.RotationDecision;
import io.keyward.core.turn.TurnPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;

/// A plan in words, for the log, for events and for `keyward explain`.
public final class PlanWords {
  private PlanWords() {}

  /// What comes next, a sentence for each thing. Empty where nothing does.
  public static List<String> next(TurnPlan plan) {
    var lines = new ArrayList<String>();
    if (plan.migration() instanceof MigrationDecision.Work(var steps)) {
      steps.stream().map(PlanWords::step).forEach(lines::add);
    }
    Stream.of(
            key(plan.key()),
            layout(plan.layout()),
            preflight(plan.preflight()),
            rotation(plan.rotation()),
            plan.prune() instanceof PruneDecision.Delete(var serials, var damaged)
                ? "key secrets are removed: "
                    + Stream.concat(serials.stream(), damaged.stream()).toList()
                : "",
            rollout(plan.rollout()))
        .filter(line -> !line.isEmpty())
        .forEach(lines::add);
    return List.copyOf(lines);
  }

  private static String key(KeyDecision decision) {
    return switch (decision) {
      case KeyDecision.Mint mint ->
          "key "
              + mint.serial()
              + " ("
              + mint.mode().word()
              + ") is created: "
              + mint.internalReason();
      case KeyDecision.Restore(var keys) ->
          "secrets of keys in use are lost or damaged and are written again: " + serials(keys);
      case KeyDecision.Retract(var key) ->
          "key "
              + key.serial()
              + " is taken back: its rollout fails, it is no longer asked for, and nothing was"
              + " written with it";
      case KeyDecision.Refresh(var keys) -> "keys get other KMS settings: " + serials(keys);
      case KeyDecision.Refuse(var reason, var detail) ->
          "no key is created: " + reason + ": " + detail;
      case KeyDecision.Idle _, KeyDecision.Keep _, KeyDecision.Wait _ -> "";
    };
  }

  private static List<?> serials(List<Key> keys) {
    return keys.stream().map(Key::serial).toList();
  }

  /// How the next configuration differs from the one that runs; empty where none is written.
  static String layout(LayoutDecision decision) {
    return switch (decision) {
      case LayoutDecision.AddReadKeys add -> "Every instance learns to read: " + add.layout();
      case LayoutDecision.PromoteWriteKey promote ->
          "Promoting key \"" + promote.serial() + "\" to write key: " + promote.layout();
      case LayoutDecision.DropReadKeys drop ->
          "Nothing depends on keys " + drop.dropped() + " any more: " + drop.layout();
      case LayoutDecision.Retract back ->
          "Keys " + back.retracted() + " were taken back: " + back.layout();
      case LayoutDecision.RefreshPlugins same -> "Plugins get other settings: " + same.layout();
      case LayoutDecision.Rebuild rebuild -> "Written anew from key secrets: " + rebuild.layout();
      case LayoutDecision.Republish again -> "Written again as it runs: " + again.layout();
      case LayoutDecision.Commit(var key) ->
          "From now on data may depend on key " + key.serial() + "; it is not taken back any more";
      case LayoutDecision.Idle _, LayoutDecision.InSync _, LayoutDecision.Wait _ -> "";
    };
  }

  /// That a migration starts.
  public static String started(MigrationDecision.Start start) {
    return start.resource()
        + " under key "
        + start.target()
        + (start.attempt() > 1 ? ", attempt " + start.attempt() : "");
  }

  /// That a migration is recorded as complete.
  public static String migrated(MigrationDecision.Mark mark) {
    return "All of " + mark.resource() + " is stored under key " + mark.serial();
  }

  private static String step(MigrationDecision.Step step) {
    return switch (step) {
      case MigrationDecision.Start(var resource, var target, _, int attempt) ->
          resource
              + " get rewritten under key "
              + target
              + (attempt > 1 ? ", attempt " + attempt : "");
      case MigrationDecision.Watch(var resource, var target) ->
          resource + " are being rewritten under key " + target;
      case MigrationDecision.Mark mark ->
          "all of " + mark.resource() + " counts as stored under key " + mark.serial();
      case MigrationDecision.Unmark unmark ->
          "what is written down of "
              + unmark.resource()
              + " under key "
              + unmark.serial()
              + " is taken back";
      case MigrationDecision.RetryLater(var resource, var retryAt, var problem) ->
          resource + " get rewritten again at " + retryAt + ": " + problem;
      case MigrationDecision.Abort(var resource, var why) ->
          "the rewrite of " + resource + " is ended: " + why;
    };
  }

  private static String preflight(PreflightDecision decision) {
    return switch (decision) {
      case PreflightDecision.Deploy(_, int attempt) ->
          "every node tries the KMS configuration" + (attempt > 1 ? ", attempt " + attempt : "");
      case PreflightDecision.Watch(_, var until) ->
          "every node tries the KMS configuration, until " + until + " at the latest";
      case PreflightDecision.Conclude(var result) ->
          result.succeeded()
              ? "the KMS configuration works on every node"
              : "the KMS configuration does not work: " + result.detail();
      case PreflightDecision.Backoff(_, var detail, var retryAt) ->
          "every node tries the KMS configuration again at " + retryAt + ": " + detail;
      case PreflightDecision.Clean(var why) -> "the last try of a KMS is cleaned up: " + why;
      case PreflightDecision.NotNeeded _, PreflightDecision.Passed _ -> "";
    };
  }

  /// What follows from a rotation is a migration, and told as one.
  private static String rotation(RotationDecision decision) {
    return decision instanceof RotationDecision.Settling(_, var until)
        ? "API servers may write under an earlier version of the remote key until " + until
        : "";
  }

  private static String rollout(RolloutDecision decision) {
    return switch (decision) {
      case RolloutDecision.Complete(var needs) -> "the manifest of the API server gets " + needs;
      case RolloutDecision.Snapshot(long revision) ->
          "what is written becomes revision " + revision;
      case RolloutDecision.Advance(var node, long revision) ->
          "node " + node + " gets revision " + revision;
      case RolloutDecision.Deploy(var deployment, long revision) ->
          "Deployment " + deployment + " gets revision " + revision;
      case RolloutDecision.Ask(var nodes) ->
          "nodes left, and their agents are asked whether they are still there: "
              + nodes.stream().map(RemovedNode::node).toList();
      case RolloutDecision.Forget(var nodes) -> "nodes left and are forgotten: " + nodes;
      case RolloutDecision.Wait(var on) -> "the rollout waits: " + on;
      case RolloutDecision.Refuse(var problem) -> "the rollout cannot go on: " + problem;
      case RolloutDecision.Nothing _ -> "";
    };
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
