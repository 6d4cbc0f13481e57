package io.keyward.core.event;

import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Condition;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.rollout.RemovedNode;
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
                ? "Deleting key secrets that nothing depends on: "
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
          "Creating key "
              + mint.serial()
              + " ("
              + mint.mode().word()
              + "): "
              + mint.internalReason();
      case KeyDecision.Restore(var keys) ->
          "Restoring the secrets of keys in use, which are lost or damaged: " + serials(keys);
      case KeyDecision.Retract(var key) ->
          "Withdrawing key "
              + key.serial()
              + ": its rollout fails, it is no longer requested, and nothing was written with it";
      case KeyDecision.Refresh(var keys) -> "Updating the KMS settings of keys " + serials(keys);
      case KeyDecision.Refuse(var reason, var detail) ->
          "No key is created: " + reason + ": " + detail;
      case KeyDecision.Idle _, KeyDecision.Keep _, KeyDecision.Wait _ -> "";
    };
  }

  private static List<?> serials(List<Key> keys) {
    return keys.stream().map(Key::serial).toList();
  }

  /// How the next configuration differs from the one that runs; empty where none is written.
  static String layout(LayoutDecision decision) {
    return switch (decision) {
      case LayoutDecision.AddReadKeys add -> "Adding read keys on every instance: " + add.layout();
      case LayoutDecision.PromoteWriteKey promote ->
          "Promoting key \"" + promote.serial() + "\" to write key: " + promote.layout();
      case LayoutDecision.DropReadKeys drop ->
          "Removing keys " + drop.dropped() + ", on which nothing depends: " + drop.layout();
      case LayoutDecision.Retract back ->
          "Removing the withdrawn keys " + back.retracted() + ": " + back.layout();
      case LayoutDecision.RefreshPlugins same ->
          "Updating the settings of plugins: " + same.layout();
      case LayoutDecision.Rebuild rebuild ->
          "Rebuilding the configuration from key secrets: " + rebuild.layout();
      case LayoutDecision.Republish again ->
          "Publishing the running configuration again: " + again.layout();
      case LayoutDecision.Commit(var key) ->
          "Data may depend on key " + key.serial() + " from now on; it can no longer be withdrawn";
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
          "Re-encrypting "
              + resource
              + " with key "
              + target
              + (attempt > 1 ? ", attempt " + attempt : "");
      case MigrationDecision.Watch(var resource, var target) ->
          "Waiting until all " + resource + " are re-encrypted with key " + target;
      case MigrationDecision.Mark mark ->
          "Recording that all " + mark.resource() + " are stored under key " + mark.serial();
      case MigrationDecision.Unmark unmark ->
          "Removing the record that all "
              + unmark.resource()
              + " are stored under key "
              + unmark.serial();
      case MigrationDecision.RetryLater(var resource, var retryAt, var problem) ->
          "Retrying to re-encrypt " + resource + " at " + retryAt + ": " + problem;
      case MigrationDecision.Abort(var resource, var why) ->
          "Stopping the re-encryption of " + resource + ": " + why;
    };
  }

  private static String preflight(PreflightDecision decision) {
    return switch (decision) {
      case PreflightDecision.Deploy(_, int attempt) ->
          "Testing the KMS configuration on every node"
              + (attempt > 1 ? ", attempt " + attempt : "");
      case PreflightDecision.Watch(_, var until) ->
          "Testing the KMS configuration on every node until " + until + " at the latest";
      case PreflightDecision.Conclude(var result) ->
          result.succeeded()
              ? "The KMS configuration works on every node"
              : "The KMS configuration does not work: " + result.detail();
      case PreflightDecision.Backoff(_, var detail, var retryAt) ->
          "Testing the KMS configuration again at " + retryAt + ": " + detail;
      case PreflightDecision.Clean(var why) ->
          "Deleting the last test of a KMS configuration: " + why;
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
      case RolloutDecision.Complete(var needs) ->
          "Adding to the manifest of the API server: " + needs;
      case RolloutDecision.Snapshot(long revision) ->
          "Creating revision " + revision + " of the published configuration";
      case RolloutDecision.Advance(var node, long revision) ->
          "Rolling out revision " + revision + " on node " + node;
      case RolloutDecision.Deploy(var deployment, long revision) ->
          "Rolling out revision " + revision + " with Deployment " + deployment;
      case RolloutDecision.Ask(var nodes) ->
          "Asking whether the agents of removed nodes still report: "
              + nodes.stream().map(RemovedNode::node).toList();
      case RolloutDecision.Forget(var nodes) -> "Dropping removed nodes from the status: " + nodes;
      case RolloutDecision.Wait(var on) -> "The rollout waits: " + on;
      case RolloutDecision.Refuse(var problem) -> "The rollout is blocked: " + problem;
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
