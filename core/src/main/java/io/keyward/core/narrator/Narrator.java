package io.keyward.core.narrator;

import io.keyward.core.key.KeyDecision;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.rollout.RemovedNode;
import io.keyward.core.preflight.PreflightDecision;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rollout.RolloutDecision;
import io.keyward.core.rotation.RotationDecision;
import java.util.List;
import java.util.stream.Stream;

/// The sentence for each decision, for conditions, events, logs, `status` and `explain` alike.
/// Empty where a decision changes nothing. Conditions and events that OpenShift's tools read keep
/// the sentences of OpenShift.
public final class Narrator {
  /// Why a key is withdrawn.
  public static final String WITHDRAWN =
      "its rollout fails, it is no longer requested, and nothing was written with it";

  private Narrator() {}

  public static String of(KeyDecision decision) {
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
      case KeyDecision.Retract(var key) -> "Withdrawing key " + key.serial() + ": " + WITHDRAWN;
      case KeyDecision.Refresh(var keys) -> "Updating the KMS settings of keys " + serials(keys);
      case KeyDecision.Refuse(var reason, var detail) ->
          "No key is created: " + reason + ": " + detail;
      case KeyDecision.Idle _, KeyDecision.Keep _, KeyDecision.Wait _ -> "";
    };
  }

  /// Why nothing happens, and what ends the wait.
  public static String waits(String subject, Blocker blocker, String on) {
    return subject + " waits: " + on + "; this ends when " + blocker.ends();
  }

  private static List<?> serials(List<Key> keys) {
    return keys.stream().map(Key::serial).toList();
  }

  /// How the next configuration differs from the one that runs; empty where none is written.
  public static String of(LayoutDecision decision) {
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

  public static String of(MigrationDecision.Step step) {
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
      case MigrationDecision.Reencrypt requested ->
          "Re-encrypting everything with key " + requested.serial() + " again, as requested";
      case MigrationDecision.RetryLater(var resource, var retryAt, var problem) ->
          "Retrying to re-encrypt " + resource + " at " + retryAt + ": " + problem;
      case MigrationDecision.Abort(var resource, var why) ->
          "Stopping the re-encryption of " + resource + ": " + why;
    };
  }

  public static String of(PreflightDecision decision) {
    return switch (decision) {
      case PreflightDecision.Deploy(_, int attempt) ->
          "Testing the KMS configuration on every node"
              + (attempt > 1 ? ", attempt " + attempt : "");
      case PreflightDecision.Watch(_, var until) ->
          "Testing the KMS configuration on every node until " + until + " at the latest";
      case PreflightDecision.Conclude(var result) ->
          result.succeeded()
              ? "The KMS configuration works on every node"
                  + (result.detail().isEmpty() ? "" : "; warning: " + result.detail())
              : "The KMS configuration does not work: " + result.detail();
      case PreflightDecision.Backoff(_, var detail, var retryAt) ->
          "Testing the KMS configuration again at " + retryAt + ": " + detail;
      case PreflightDecision.Clean(var why) ->
          "Deleting the last test of a KMS configuration: " + why;
      case PreflightDecision.NotNeeded _, PreflightDecision.Passed _ -> "";
    };
  }

  public static String of(RotationDecision decision) {
    return switch (decision) {
      case RotationDecision.NotApplicable _ -> "";
      case RotationDecision.Steady(var kek) -> "all data is recorded under KEK " + kek;
      case RotationDecision.Settling(var kek, var until) ->
          "all nodes report KEK "
              + kek
              + "; re-encryption starts with the first reports after "
              + until
              + ", because API servers may write under an earlier version of the remote key until then";
      case RotationDecision.Disagree(var nodes) ->
          "nodes report different KEKs: " + nodes + "; re-encryption starts when they agree";
      case RotationDecision.Silent(var nodes, _) ->
          "no fresh healthy report from " + String.join(", ", nodes);
      case RotationDecision.Remigrate(var kek, var resources) ->
          "re-encrypting " + String.join(", ", resources) + " with KEK " + kek;
    };
  }

  public static String of(PruneDecision decision) {
    return decision instanceof PruneDecision.Delete(var serials, var damaged)
        ? "Deleting key secrets that nothing depends on: "
            + Stream.concat(serials.stream(), damaged.stream()).toList()
        : "";
  }

  public static String of(RolloutDecision decision) {
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
}
