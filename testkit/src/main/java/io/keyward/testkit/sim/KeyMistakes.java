package io.keyward.testkit.sim;

import io.keyward.core.key.KeyDecision;
import io.keyward.core.key.KeyDecision.Keep;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.model.Activity;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.prune.PruneDecision;
import io.keyward.core.rotation.RotationDecision;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.TreeSet;

/// Mistakes about keys: when they are made, taken back, tried out and deleted.
final class KeyMistakes {
  private KeyMistakes() {}

  static TurnPlan prunesOneTooMany(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    List<Key> used = seen.deployed().map(EncryptionLayout::keys).orElse(List.of());
    if (plan.prune() instanceof PruneDecision.Wait || used.size() < 2) {
      return plan;
    }
    var serials = new TreeSet<KeySerial>();
    serials.add(used.getLast().serial());
    return Changed.with(seen, plan, new PruneDecision.Delete(serials, List.of()));
  }

  /// As if there were no audit.
  static TurnPlan prunesWithoutProof(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    var activity = seen.activity();
    var blind =
        seen.with(
            new Activity(
                activity.migrations(), activity.preflight(), activity.reports(), Optional.empty()));
    return Changed.with(seen, plan, Turn.plan(blind).prune());
  }

  static TurnPlan mintsASecondKey(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return Changed.waitsFor(plan, Blocker.MIGRATION)
        ? Changed.with(seen, plan, Changed.mint(seen))
        : plan;
  }

  /// Only readable secrets are looked at for the next serial.
  static TurnPlan mintsOverALostSecret(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    KeySerial next =
        seen.stored().secrets().stream()
            .map(Key::serial)
            .max(KeySerial::compareTo)
            .map(KeySerial::next)
            .orElse(KeySerial.FIRST);
    return plan.key() instanceof KeyDecision.Restore
        ? Changed.with(seen, plan, Changed.mint(seen, next))
        : plan;
  }

  static TurnPlan takesBackWhatWrote(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    Optional<Key> bad =
        seen.ring()
            .newest()
            .filter(key -> key.mode() == Mode.KMS && key.stage() == KeyStage.WRITE)
            .filter(key -> !isAsked(seen, key));
    return Changed.waitsFor(plan, Blocker.ROLLOUT) && bad.isPresent()
        ? seen.stored()
            .published()
            .map(layout -> Changed.with(seen, plan, without(layout, bad.orElseThrow().serial())))
            .orElse(plan)
        : plan;
  }

  /// The secret of a key that may write says that it is withdrawn.
  static TurnPlan withdrawsWhatWrote(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    Optional<Key> bad =
        seen.ring()
            .newest()
            .filter(key -> key.mode() == Mode.KMS && key.stage() == KeyStage.WRITE)
            .filter(key -> key.backed() && !isAsked(seen, key));
    return Changed.waitsFor(plan, Blocker.ROLLOUT) && bad.isPresent()
        ? Changed.with(
            seen, plan, new KeyDecision.Retract(bad.orElseThrow().at(KeyStage.RETRACTED)))
        : plan;
  }

  /// A key that instances can read leaves again because another one is asked for.
  static TurnPlan dropsAKeyOnItsWay(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    Optional<Key> newest = seen.ring().newest().filter(key -> !isAsked(seen, key));
    return newest.isPresent() && seen.isSettled() && plan.layout() instanceof LayoutDecision.Publish
        ? seen.deployed()
            .filter(layout ->
                layout.stacks().values().stream()
                    .noneMatch(stack -> stack.writes(newest.orElseThrow().serial())))
            .map(layout -> Changed.with(seen, plan, without(layout, newest.orElseThrow().serial())))
            .orElse(plan)
        : plan;
  }

  private static boolean isAsked(ObservedState seen, Key key) {
    String asked =
        seen.wanted()
            .kms()
            .map(kms -> ProviderEntries.remoteKeyOf(key.with(kms.keyFor(key.serial()))))
            .orElse(null);
    return key.mode() == seen.wanted().mode()
        && Objects.equals(asked, ProviderEntries.remoteKeyOf(key));
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

  static TurnPlan rotationMintsAKey(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return plan.rotation() instanceof RotationDecision.Remigrate && plan.key() instanceof Keep
        ? Changed.with(seen, plan, Changed.mint(seen))
        : plan;
  }

  static TurnPlan skipsThePreflight(ObservedState seen) {
    TurnPlan plan = Turn.plan(seen);
    return Changed.waitsFor(plan, Blocker.PREFLIGHT)
        ? Changed.with(seen, plan, Changed.mint(seen))
        : plan;
  }

  /// The fingerprint leaves the credentials out, so new ones count as tried.
  static TurnPlan triesNoCredentials(ObservedState seen) {
    return Turn.plan(
        seen.wanted()
            .kms()
            .map(kms -> wanting(seen, withPrint(kms, kms.config().value().substring(0, 5) + "xxx")))
            .orElse(seen));
  }

  private static RequestedEncryption.Kms withPrint(RequestedEncryption.Kms kms, String print) {
    return new RequestedEncryption.Kms(
        kms.plugin(), kms.secrets(), kms.configMaps(), new Fingerprint(print));
  }

  private static ObservedState wanting(ObservedState seen, RequestedEncryption.Kms kms) {
    RequestedEncryption wanted = seen.wanted();
    return new ObservedState(
        seen.at(),
        seen.component(),
        new RequestedEncryption(
            wanted.mode(),
            Optional.of(kms),
            wanted.externalReason(),
            wanted.problem(),
            wanted.resources()),
        seen.stored(),
        seen.rollout(),
        seen.activity(),
        seen.conditions(),
        seen.settings(),
        seen.unreachable(),
        seen.revisions());
  }
}
