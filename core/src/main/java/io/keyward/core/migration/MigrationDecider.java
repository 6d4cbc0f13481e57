package io.keyward.core.migration;

import io.keyward.core.migration.MigrationDecision.Abort;
import io.keyward.core.migration.MigrationDecision.Extent;
import io.keyward.core.migration.MigrationDecision.Idle;
import io.keyward.core.migration.MigrationDecision.Mark;
import io.keyward.core.migration.MigrationDecision.RetryLater;
import io.keyward.core.migration.MigrationDecision.Start;
import io.keyward.core.migration.MigrationDecision.Step;
import io.keyward.core.migration.MigrationDecision.Unmark;
import io.keyward.core.migration.MigrationDecision.Wait;
import io.keyward.core.migration.MigrationDecision.Watch;
import io.keyward.core.migration.MigrationDecision.Work;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.KekObservation;
import io.keyward.core.model.rollout.Rollout;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Decides when stored data is rewritten, and when that is proof enough to write it down.
///
/// A migration proves something only if from its start to its end every instance wrote with the
/// same key. Instances that restarted meanwhile may have run another revision, so then it is done
/// again.
public final class MigrationDecider {
  private static final String UNDER_KEK = " kek@";

  private MigrationDecider() {}

  /// Never throws; whatever is odd is aborted and done again.
  ///
  /// @param stable no other configuration is about to be written
  /// @param sight which versions of the remote key the instances write under
  public static MigrationDecision decide(ObservedState seen, boolean stable, KekObservation sight) {
    return switch (seen.rollout()) {
      case Rollout.Rolling(var waitingFor, _, _) when seen.isEnabled() ->
          new Wait(Blocker.ROLLOUT, waitingFor);
      case Rollout.Stuck(var problem) when seen.isEnabled() -> new Wait(Blocker.ROLLOUT, problem);
      case Rollout.Unknown(var blocker, var problem) when seen.isEnabled() ->
          new Wait(blocker, problem);
      case Rollout.Rolling _, Rollout.Stuck _, Rollout.Unknown _ -> new Idle();
      case Rollout.Converged converged -> onSolidGround(new Ground(seen, converged, sight), stable);
    };
  }

  private static MigrationDecision onSolidGround(Ground ground, boolean stable) {
    var steps = new ArrayList<Step>(untrueMarks(ground.seen()));
    if (steps.isEmpty()) {
      steps.addAll(requested(ground.seen()));
    }
    Optional<EncryptionLayout> layout = ground.converged().layout();
    if (steps.isEmpty() && layout.isPresent()) {
      steps.addAll(stable ? ground.steps(layout.orElseThrow()) : interrupted(ground.seen()));
      if (steps.isEmpty() && !stable) {
        return new Wait(Blocker.LAYOUT, "the next configuration");
      }
    }
    return steps.isEmpty() ? new Idle() : new Work(List.copyOf(steps));
  }

  private static List<Step> untrueMarks(ObservedState seen) {
    return seen.ring().newest().filter(Key::backed).stream()
        .flatMap(newest ->
            seen.voidMarks(newest).stream()
                .<Step>map(r -> new Unmark(r, newest.serial(), Extent.RESOURCE)))
        .toList();
  }

  /// An administrator requests that everything is re-encrypted under the same KMS key. A migration
  /// that is there was asked for before, so it goes first: it would count as done at once.
  private static List<Step> requested(ObservedState seen) {
    return seen.ring()
        .newest()
        .filter(key -> key.backed() && key.mode() == Mode.KMS)
        .flatMap(key ->
            key.migrated().reencryption().open().map(request -> requested(seen, key, request)))
        .orElse(List.of());
  }

  private static List<Step> requested(ObservedState seen, Key newest, String request) {
    List<Step> before =
        seen.activity().migrations().keySet().stream()
            .<Step>map(one -> new Abort(one, "a re-encryption is requested"))
            .toList();
    return before.isEmpty()
        ? List.of(
            new MigrationDecision.Reencrypt(
                seen.wanted().resources().getFirst(), newest.serial(), request))
        : before;
  }

  private static List<Step> interrupted(ObservedState seen) {
    return seen.activity().migrations().values().stream()
        .filter(migration -> migration.state() instanceof State.Running)
        .<Step>map(running -> new Abort(running.resource(), "the configuration changes"))
        .toList();
  }

  /// A converged look, and what follows from it for each resource.
  private record Ground(ObservedState seen, Rollout.Converged converged, KekObservation sight) {
    List<Step> steps(EncryptionLayout layout) {
      var steps = new ArrayList<Step>();
      for (Map.Entry<Resource, KeyStack> entry : layout.stacks().entrySet()) {
        Resource resource = entry.getKey();
        Optional<Key> write = entry.getValue().write().flatMap(serial -> seen.ring().find(serial));
        if (!seen.wanted().resources().contains(resource)) {
          decrypt(resource).ifPresent(steps::add);
        } else {
          write.filter(Key::backed).ifPresent(key -> steps.addAll(encrypt(resource, key)));
        }
      }
      return steps;
    }

    private Optional<Step> decrypt(Resource resource) {
      var target = MigrationTarget.plaintext();
      MigrationStatus status = seen.activity().migrations().get(resource);
      if (status == null) {
        return Optional.of(start(resource, target, 1));
      }
      if (!status.target().equals(target) || !status.witness().equals(converged.witness())) {
        return Optional.of(new Abort(resource, "it was for another configuration"));
      }
      return switch (status.state()) {
        case State.Running _ -> Optional.of(new Watch(resource, target));
        // The configuration drops the resource now.
        case State.Succeeded _ -> Optional.empty();
        case State.Failed failed -> Optional.of(retry(status, failed, target));
      };
    }

    private List<Step> encrypt(Resource resource, Key write) {
      boolean marked = write.migrated().resources().contains(resource);
      Optional<KekId> recorded = write.migrated().kek(resource);
      MigrationStatus status = seen.activity().migrations().get(resource);
      if (marked && sight.voids(recorded, write.migrated().kekSince(resource))) {
        var steps = new ArrayList<Step>();
        steps.add(new Unmark(resource, write.serial(), Extent.KEK_ONLY));
        if (status != null) {
          steps.add(new Abort(resource, "the KMS rotated its key"));
        }
        return steps;
      }
      if (recorded.isEmpty()
          && status != null
          && sight.voids(status.target().kek(), Optional.empty())) {
        // It says one KEK, and some of it may be written under the other.
        return List.of(new Abort(resource, "the KMS rotated its key meanwhile"));
      }
      Optional<KekId> kek = sight.settled();
      if (marked && (kek.isEmpty() || kek.equals(recorded))) {
        return List.of();
      }
      var target = MigrationTarget.under(write.serial(), kek);
      return List.of(
          status == null
              ? start(resource, target, 1)
              : proceed(status, target, marked, write.serial()));
    }

    private Step proceed(
        MigrationStatus status, MigrationTarget target, boolean marked, KeySerial serial) {
      Resource resource = status.resource();
      boolean serves = status.target().equals(target) || servesFirst(status, target, marked);
      if (!serves) {
        return new Abort(resource, "it was for another key");
      }
      boolean sure = sight.settled().isPresent() || status.target().kek().isEmpty();
      if (!isWitnessed(status, sure)) {
        return new Abort(resource, "instances restarted or changed their KEK since it began");
      }
      return switch (status.state()) {
        case State.Running _ -> new Watch(resource, status.target());
        // Without fresh reports nobody can tell whether the KEK stayed; the key is sure all the
        // same.
        case State.Succeeded _ ->
            new Mark(
                resource,
                serial,
                status.target().kek().filter(_ -> sure),
                sight.since().filter(_ -> status.target().kek().isPresent()));
        case State.Failed failed -> retry(status, failed, target);
      };
    }

    private boolean isWitnessed(MigrationStatus status, boolean sure) {
      return sure
          ? status.witness().equals(witness(status.target()))
          : status.witness().startsWith(converged.witness() + UNDER_KEK);
    }

    /// Who runs and, where the target names a KEK, since when all are under it. Another text means
    /// that the migration proves nothing.
    private String witness(MigrationTarget target) {
      return converged.witness()
          + target.kek().flatMap(_ -> sight.since()).map(since -> UNDER_KEK + since).orElse("");
    }

    /// Begun before the KEK was known for sure: good for the key, and done again for the KEK.
    private static boolean servesFirst(
        MigrationStatus status, MigrationTarget target, boolean marked) {
      return !marked
          && status.target().writeKey().equals(target.writeKey())
          && (status.target().kek().isEmpty() || target.kek().isEmpty());
    }

    private Step retry(MigrationStatus status, State.Failed failed, MigrationTarget target) {
      Instant due = failed.at().plus(seen.settings().migrationBackoff(status.attempt()));
      return seen.at().isBefore(due)
          ? new RetryLater(status.resource(), due, failed.message())
          : start(status.resource(), target, status.attempt() + 1);
    }

    private Start start(Resource resource, MigrationTarget target, int attempt) {
      return new Start(resource, target, witness(target), attempt);
    }
  }
}
