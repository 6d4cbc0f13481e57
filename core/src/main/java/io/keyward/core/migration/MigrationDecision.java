package io.keyward.core.migration;

import io.keyward.core.model.Blocker;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.kms.KekId;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// What happens to storage migrations next. Nobody else starts, restarts or ends one.
public sealed interface MigrationDecision {
  /// Everything stored is where it should be, or nothing is encrypted.
  record Idle() implements MigrationDecision {}

  record Wait(Blocker blocker, String on) implements MigrationDecision {}

  /// What each resource needs, in the order of the resources. Every step stands for itself: one
  /// that fails is decided again in the next turn.
  record Work(List<Step> steps) implements MigrationDecision {}

  sealed interface Step {
    Resource resource();
  }

  /// Begin, in place of a migration that failed.
  ///
  /// @param witness is stored with the migration; see `Rollout.Converged`
  record Start(Resource resource, MigrationTarget target, String witness, int attempt)
      implements Step {}

  /// It runs; there is nothing to do.
  record Watch(Resource resource, MigrationTarget target) implements Step {}

  /// Write down that all of the resource is stored under this key, and this KEK if it is known.
  ///
  /// @param since goes into the record; see [Migrated#kekSince]
  record Mark(Resource resource, KeySerial serial, Optional<KekId> kek, Optional<Instant> since)
      implements Step {
    /// The key's record with this mark.
    public Migrated on(Migrated before, Instant now) {
      return before.with(resource, kek, since, now);
    }
  }

  /// Take back what is written down: it is not true, or stops being true.
  record Unmark(Resource resource, KeySerial serial, Extent extent) implements Step {
    /// The key's record without this mark.
    public Migrated on(Migrated before) {
      return switch (extent) {
        case RESOURCE -> before.without(resource);
        case KEK_ONLY -> before.withoutKek(resource);
      };
    }
  }

  /// Takes up an administrator's request to re-encrypt everything under the same key.
  ///
  /// @param request the text of the request
  record Reencrypt(Resource resource, KeySerial serial, String request) implements Step {
    /// The key's record from now on.
    public Migrated on(Migrated before) {
      return before.reencrypting(request);
    }
  }

  enum Extent {
    /// The resource may be stored otherwise than under this key.
    RESOURCE,
    /// It is under this key, but from now on under more than one version of the remote key.
    KEK_ONLY
  }

  record RetryLater(Resource resource, Instant retryAt, String problem) implements Step {}

  /// Remove a migration that would prove nothing. The next turn starts a new one.
  record Abort(Resource resource, String why) implements Step {}
}
