package io.keyward.core.act;

import io.keyward.core.health.HealthDecision;
import io.keyward.core.key.KeyDecision;
import io.keyward.core.migration.MigrationDecision;
import io.keyward.core.model.Condition;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.model.rollout.RemovedNode;
import io.keyward.core.preflight.PreflightCandidate;
import io.keyward.core.prune.PruneDecision;
import java.util.List;
import java.util.Optional;

/// One thing to do. Applied to the snapshot it was decided on: an object that was modified since is
/// a conflict, and the next turn decides again. So a crash or a second operator between two acts
/// does no harm.
public sealed interface Act {
  /// False for acts that only report, or that are repeated in every turn.
  default boolean changesSomething() {
    return !(this instanceof ResumeMigrations
        || this instanceof PauseMigrations
        || this instanceof SetConditions
        || this instanceof Announce
        || this instanceof Warn);
  }

  /// An act on key secrets.
  sealed interface OnKeys extends Act {}

  record MintKey(KeyDecision.Mint mint) implements OnKeys {}

  /// Writes the secret of a key that exists, or existed.
  record PutKey(Key key) implements OnKeys {}

  /// Records that all of a resource is stored under a key. The migration that proves it must still
  /// be there.
  record MarkMigrated(MigrationDecision.Mark mark) implements OnKeys {}

  /// Records that a request to re-encrypt was taken up.
  record Reencrypt(MigrationDecision.Reencrypt step) implements OnKeys {}

  record UnmarkMigrated(MigrationDecision.Unmark unmark) implements OnKeys {}

  record PruneKeys(PruneDecision.Delete delete) implements OnKeys {}

  record PublishLayout(EncryptionLayout layout) implements Act {}

  /// An act on storage migrations.
  sealed interface OnMigrations extends Act {}

  /// Lets the migrations go on that are recorded as running.
  record ResumeMigrations() implements OnMigrations {}

  record PauseMigrations() implements OnMigrations {}

  record StartMigration(MigrationDecision.Start start) implements OnMigrations {}

  record AbortMigration(Resource resource) implements OnMigrations {}

  /// An act on the preflight of a KMS configuration.
  sealed interface OnPreflight extends Act {}

  record RunPreflight(PreflightCandidate candidate, int attempt) implements OnPreflight {}

  record CleanPreflight() implements OnPreflight {}

  /// Records how a preflight ended.
  ///
  /// @param requested what is requested now; absent where that is no KMS
  record ConcludePreflight(PreflightState.Result result, Optional<Fingerprint> requested)
      implements OnPreflight {}

  /// An act on revisions and the instances that run them.
  sealed interface OnRevisions extends Act {}

  /// Changes the manifest so that it fits the configuration.
  record CompleteManifest(List<ManifestNeed> needs) implements OnRevisions {
    public CompleteManifest {
      needs = List.copyOf(needs);
    }
  }

  /// Makes a revision of the published configuration.
  record CreateRevision(long number) implements OnRevisions {}

  record SetTarget(String node, long revision) implements OnRevisions {}

  record UpdateDeployment(String deployment, long revision) implements OnRevisions {}

  /// Removes what these nodes reported, so that it shows which of them still report.
  record AskNodes(List<RemovedNode> nodes) implements OnRevisions {
    public AskNodes {
      nodes = List.copyOf(nodes);
    }
  }

  record DropNodes(List<String> nodes) implements OnRevisions {
    public DropNodes {
      nodes = List.copyOf(nodes);
    }
  }

  record DropReports(List<HealthDecision.Orphan> orphans) implements Act {
    public DropReports {
      orphans = List.copyOf(orphans);
    }
  }

  /// All conditions; nothing is written where they are set already.
  record SetConditions(List<Condition> conditions) implements Act {
    public SetConditions {
      conditions = List.copyOf(conditions);
    }
  }

  /// Sends an event about the act before it.
  record Announce(String reason, String message) implements Act {}

  /// Sends an event about something that an administrator must not miss.
  record Warn(String reason, String message) implements Act {}
}
