package io.keyward.core.key;

import io.keyward.core.key.KeyDecision.Idle;
import io.keyward.core.key.KeyDecision.Keep;
import io.keyward.core.key.KeyDecision.Mint;
import io.keyward.core.key.KeyDecision.Refresh;
import io.keyward.core.key.KeyDecision.Refuse;
import io.keyward.core.key.KeyDecision.Restore;
import io.keyward.core.key.KeyDecision.Retract;
import io.keyward.core.key.KeyDecision.Wait;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyRing;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KmsChange;
import io.keyward.core.model.kms.PreflightState.Verdict;
import io.keyward.core.model.rollout.Rollout;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.function.Supplier;

/// Decides when a key is born. At most one key is on its way: as long as the newest is not fully
/// migrated, no other follows.
public final class KeyDecider {
  private static final int SETTLED_READ_KEYS = 2;

  private KeyDecider() {}

  public static KeyDecision decide(ObservedState seen) {
    if (!seen.isEnabled()) {
      return new Idle();
    }
    return switch (seen.rollout()) {
      case Rollout.Rolling(var waitingFor, _, boolean failing) ->
          whileRolling(seen, waitingFor, failing);
      case Rollout.Stuck(var problem) -> whileRolling(seen, problem, true);
      // Not even a lost secret is written again: its serial may mean another key on some node.
      case Rollout.Unknown(var blocker, var problem) -> new Refuse(blocker.reason(), problem);
      case Rollout.Converged _ -> onSolidGround(seen, seen.ring());
    };
  }

  /// Expired credentials keep instances from getting ready, so waiting for the rollout would wait
  /// for ever. New credentials change no provider and are safe at any time.
  private static KeyDecision whileRolling(ObservedState seen, String waitingFor, boolean failing) {
    List<Key> lost = seen.ring().lost();
    if (!lost.isEmpty()) {
      return new Restore(lost);
    }
    Optional<Key> bad = seen.ring().newest().filter(key -> failing && mayRetract(key, seen));
    if (bad.isPresent()) {
      return new Retract(bad.orElseThrow().at(KeyStage.RETRACTED));
    }
    List<Key> ready = tried(seen, KmsChange.outdated(seen, seen.ring()));
    return ready.isEmpty() ? new Wait(Blocker.ROLLOUT, waitingFor) : new Refresh(ready);
  }

  /// Those of which a preflight passed, each for itself. A key whose new contents do not work keeps
  /// the old ones.
  private static List<Key> tried(ObservedState seen, List<KmsChange.Update> updates) {
    return updates.stream()
        .filter(update -> verdict(seen, update.config()) instanceof Verdict.Passed)
        .map(KmsChange.Update::key)
        .toList();
  }

  /// A KMS that is gone keeps API servers from starting. Whoever corrects the wish then must be
  /// followed, and may be: nothing depends on a key that was never allowed to write.
  private static boolean mayRetract(Key newest, ObservedState seen) {
    RequestedEncryption wanted = seen.wanted();
    boolean asked =
        wanted.mode() == Mode.KMS
            && (wanted.kms().isEmpty() || KmsChange.isSameRemoteKey(wanted, newest));
    return newest.mode() == Mode.KMS
        && newest.backed()
        && newest.stage() == KeyStage.READ_ONLY
        && wanted.problem().isEmpty()
        && !asked;
  }

  private static Verdict verdict(ObservedState seen, Fingerprint config) {
    return seen.activity().preflight().verdict(config, seen.at(), seen.settings());
  }

  private static KeyDecision onSolidGround(ObservedState seen, KeyRing ring) {
    List<Key> lost = ring.lost();
    if (!lost.isEmpty()) {
      return new Restore(lost);
    }
    if (seen.wanted().problem().isPresent()) {
      return new Refuse("InvalidConfiguration", seen.wanted().problem().orElseThrow());
    }
    if (seen.wanted().mode() == Mode.KMS && seen.wanted().kms().isEmpty()) {
      return new Refuse("InvalidConfiguration", "encryption type KMS without a KMS configuration");
    }
    if (!seen.isSettled()) {
      return new Wait(Blocker.PUBLISHED, "the last written configuration does not run yet");
    }
    return ring.newest().map(key -> succeed(key, seen, ring)).orElseGet(() -> begin(seen));
  }

  private static KeyDecision begin(ObservedState seen) {
    return seen.wanted().mode() == Mode.IDENTITY ? new Keep() : mint("key-does-not-exist", seen);
  }

  private static KeyDecision succeed(Key newest, ObservedState seen, KeyRing ring) {
    if (!newest.backed()) {
      return mint("encryption-config-key-" + newest.serial() + "-not-backed-by-secret", seen);
    }
    List<KmsChange.Update> outdated = KmsChange.outdated(seen, ring);
    List<Key> ready = tried(seen, outdated);
    if (!ready.isEmpty()) {
      return new Refresh(ready);
    }
    if (KmsChange.isSameRemoteKey(seen.wanted(), newest)
        && outdated.stream().anyMatch(one -> one.key().serial().equals(newest.serial()))) {
      return afterPreflight(seen, Keep::new);
    }
    Optional<String> reason = reasonToReplace(newest, seen);
    Optional<Wait> pressure = backPressure(newest, seen);
    return reason.isPresent()
        ? pressure.<KeyDecision>map(wait -> wait).orElseGet(() -> mint(reason.get(), seen))
        : new Keep();
  }

  /// Once any instance has seen a key, data may depend on it: it finishes before the next.
  private static Optional<Wait> backPressure(Key newest, ObservedState seen) {
    if (seen.isAbandoned(newest)) {
      return Optional.empty();
    }
    // The migration decision removes void marks in the same turn: they finish no cycle.
    var done = new TreeSet<>(newest.migrated().resources());
    done.removeAll(seen.voidMarks(newest));
    var open = new TreeSet<>(seen.wanted().resources());
    open.removeAll(done);
    if (!open.isEmpty()) {
      return Optional.of(
          new Wait(Blocker.MIGRATION, "key " + newest.serial() + " is not migrated for " + open));
    }
    return seen.deployed().stream()
        .flatMap(layout -> layout.stacks().entrySet().stream())
        .filter(entry -> backedReads(entry.getValue().keys(), seen) > SETTLED_READ_KEYS)
        .map(entry -> new Wait(Blocker.READ_KEYS, entry.getKey() + " has old read keys"))
        .findFirst();
  }

  private static long backedReads(List<Key> reads, ObservedState seen) {
    return reads.stream()
        .filter(key -> seen.stored().secrets().stream().anyMatch(key::isSame))
        .count();
  }

  private static Optional<String> reasonToReplace(Key newest, ObservedState seen) {
    RequestedEncryption wanted = seen.wanted();
    if (newest.mode() != wanted.mode()) {
      return Optional.of("encryption-mode-changed");
    }
    return switch (newest.mode()) {
      case IDENTITY -> Optional.empty();
      case KMS ->
          KmsChange.isSameRemoteKey(wanted, newest)
              ? forced(newest, wanted)
              : Optional.of("kms-provider-changed");
      case AESCBC, AESGCM, SECRETBOX -> forced(newest, wanted).or(() -> aged(newest, seen));
    };
  }

  private static Optional<String> forced(Key newest, RequestedEncryption wanted) {
    return KmsChange.isForced(wanted, newest)
        ? Optional.of("external-reason-changed")
        : Optional.empty();
  }

  /// Counted from the end of migration, so that slow migrations push back. No time is long ago.
  private static Optional<String> aged(Key newest, ObservedState seen) {
    boolean young =
        newest
            .migrated()
            .at()
            .filter(at -> !seen.at().isAfter(at.plus(seen.settings().rotateLocalAfter())))
            .isPresent();
    return young ? Optional.empty() : Optional.of("rotation-interval-has-passed");
  }

  private static KeyDecision mint(String reason, ObservedState seen) {
    RequestedEncryption wanted = seen.wanted();
    KeySerial serial = seen.nextSerial();
    var mint =
        new Mint(
            serial,
            wanted.mode(),
            wanted.kms().map(kms -> kms.keyFor(serial)),
            describe(reason, wanted),
            wanted.externalReason());
    return afterPreflight(seen, () -> mint);
  }

  /// A lone resource is named in the reason; the same reason for all of them stands alone.
  private static String describe(String reason, RequestedEncryption wanted) {
    return wanted.resources().size() == 1
        ? wanted.resources().getFirst().name() + "-" + reason
        : reason;
  }

  private static KeyDecision afterPreflight(ObservedState seen, Supplier<KeyDecision> act) {
    Optional<RequestedEncryption.Kms> kms = seen.wanted().kms();
    if (kms.isEmpty()) {
      return act.get();
    }
    var config = kms.orElseThrow().config();
    return switch (verdict(seen, config)) {
      case Verdict.Passed _ -> act.get();
      case Verdict.Failed(var detail, _) -> new Refuse("PreflightCheckFailed", detail);
      case Verdict.Pending _ -> new Wait(Blocker.PREFLIGHT, "KMS configuration " + config);
    };
  }
}
