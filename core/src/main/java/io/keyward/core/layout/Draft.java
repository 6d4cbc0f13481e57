package io.keyward.core.layout;

import io.keyward.core.model.MigrationStatus;
import io.keyward.core.model.MigrationStatus.State.Succeeded;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyRing;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStack.Slot;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.rollout.Rollout.Converged;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;

/// A configuration in the making. Starts from one that exists, so no provider can be forgotten.
record Draft(EncryptionLayout layout, KeyRing ring) {
  static Draft empty(KeyRing ring) {
    return new Draft(EncryptionLayout.EMPTY, ring);
  }

  /// What runs, with the newest knowledge about each of its keys.
  static Draft of(EncryptionLayout base, KeyRing ring) {
    return new Draft(
        base.mapStacks(entry -> refreshed(ring.withoutRetracted(entry.getValue()), ring)), ring);
  }

  private static KeyStack refreshed(KeyStack stack, KeyRing ring) {
    return new KeyStack(
        stack.write(),
        stack.reads().stream()
            .map(slot ->
                ring.find(slot.serial())
                    .filter(known -> known.isSame(slot.key()))
                    .map(known -> new Slot(known, slot.providerName()))
                    .orElse(slot))
            .toList());
  }

  /// Adds what is missing and drops nothing. A resource that was there needs what may protect its
  /// data. A new one gets all keys in use: it may have been encrypted before.
  Draft withReadKeys(ObservedState seen) {
    return withReadKeys(seen, seen.wanted().resources());
  }

  /// The same for resources that may have left the list meanwhile.
  Draft withReadKeys(ObservedState seen, Set<Resource> resources) {
    List<Key> needed = ring.mayProtect(seen.established());
    var inUse = new HashSet<KeySerial>();
    layout.keys().forEach(key -> inUse.add(key.serial()));
    List<Key> wide = new ArrayList<>(needed);
    ring.predecessorOf(needed)
        .filter(key -> inUse.contains(key.serial()) || key.mode() != Mode.KMS)
        .ifPresent(wide::add);
    var stacks = new TreeMap<>(layout.stacks());
    resources.forEach(resource -> stacks.putIfAbsent(resource, KeyStack.EMPTY));
    var all = new EncryptionLayout(stacks);
    for (Resource resource : resources) {
      KeyStack stack = all.stack(resource);
      List<Slot> missing =
          (layout.covers(resource) ? needed : wide)
              .stream()
                  .filter(key -> !stack.reads(key.serial()))
                  .map(key -> ProviderNames.slot(key, resource, all))
                  .toList();
      stacks.put(resource, stack.adding(missing));
    }
    return new Draft(new EncryptionLayout(stacks), ring);
  }

  /// Requested resources write with this key; others go back to plaintext, as the admin asked.
  Draft writing(ObservedState seen, KeySerial serial) {
    return new Draft(
        layout.mapStacks(entry ->
            entry
                .getValue()
                .writing(
                    seen.wanted().resources().contains(entry.getKey())
                        ? Optional.of(serial)
                        : Optional.empty())),
        ring);
  }

  /// Keeps write keys that are known, and gives this one to others that can read it already. A
  /// resource that the written configuration does not read under it was not encrypted, and some
  /// instance may come up with that configuration.
  Draft writingSomething(ObservedState seen, KeySerial serial, Optional<EncryptionLayout> written) {
    return new Draft(
        layout.mapStacks(entry -> {
          boolean readable =
              written.isEmpty() || written.orElseThrow().stack(entry.getKey()).reads(serial);
          return entry.getValue().write().isPresent()
                  || !readable
                  || !seen.wanted().resources().contains(entry.getKey())
              ? entry.getValue()
              : entry.getValue().writing(Optional.of(serial));
        }),
        ring);
  }

  Draft withoutOldKeys(ObservedState seen, Key newest) {
    var stacks = new TreeMap<>(layout.stacks());
    stacks.keySet().removeIf(resource -> isDecrypted(resource, seen));
    if (newest.isMigratedFor(seen.wanted().resources())) {
      Set<KeySerial> kept = keptSerials(seen, newest);
      seen.wanted().resources().forEach(r -> stacks.computeIfPresent(r, (_, s) -> s.keeping(kept)));
    }
    return new Draft(new EncryptionLayout(stacks), ring);
  }

  /// Instances of this one and of `before` can read each other's writes, nothing that may be needed
  /// is missing, and nothing falls back to plaintext.
  boolean isSafeAfter(EncryptionLayout before, ObservedState seen) {
    if (!layout.livesBeside(before)) {
      return false;
    }
    for (Map.Entry<Resource, KeyStack> entry : before.stacks().entrySet()) {
      Resource resource = entry.getKey();
      KeyStack next = layout.stack(resource);
      // Nothing was ever written with a withdrawn key, so nobody needs to read it.
      KeyStack previous = ring.withoutRetracted(entry.getValue());
      boolean wanted = seen.wanted().resources().contains(resource);
      if (!layout.covers(resource)) {
        if (!isDecrypted(resource, seen)) {
          return false;
        }
      } else if (!reads(next, wanted ? needed(previous) : previous.keys())
          || next.write().filter(serial -> !entry.getValue().reads(serial)).isPresent()
          || (wanted && isBackToPlaintext(entry.getValue(), next))) {
        return false;
      }
    }
    return true;
  }

  /// With no write key, or with one for plaintext that a newer key has replaced: an old copy that
  /// somebody put back.
  private boolean isBackToPlaintext(KeyStack before, KeyStack next) {
    if (next.write().isEmpty()) {
      return before.write().isPresent();
    }
    return isPlaintext(next)
        && !isPlaintext(before)
        && !ring.newest().map(Key::serial).equals(next.write());
  }

  private static boolean isPlaintext(KeyStack stack) {
    return stack.writeKey().filter(key -> key.mode() == Mode.IDENTITY).isPresent();
  }

  private static boolean reads(KeyStack stack, List<Key> keys) {
    return keys.stream().allMatch(key -> stack.find(key.serial()).filter(key::isSame).isPresent());
  }

  private List<Key> needed(KeyStack before) {
    List<Key> needed = new ArrayList<>(before.writeKey().stream().toList());
    List<Key> strict = ring.mayProtect(layout.stacks().keySet());
    before.keys().stream()
        .filter(key -> strict.stream().anyMatch(key::isSame))
        .forEach(needed::add);
    return needed;
  }

  private Set<KeySerial> keptSerials(ObservedState seen, Key newest) {
    List<Key> needed = ring.mayProtect(seen.wanted().resources());
    var kept = new HashSet<KeySerial>();
    needed.forEach(key -> kept.add(key.serial()));
    ring.predecessorOf(needed)
        .filter(key -> !isRetired(key, newest, seen))
        .ifPresent(key -> kept.add(key.serial()));
    seen.activity().audit().ifPresent(audit -> kept.addAll(audit.stillUsed()));
    return kept;
  }

  /// A KMS that nothing depends on must leave: as long as it is configured, API servers need it to
  /// become ready. The retention is for backups that still need it.
  private static boolean isRetired(Key key, Key newest, ObservedState seen) {
    return key.mode() == Mode.KMS
        && newest
            .migrated()
            .at()
            .filter(at -> !seen.at().isBefore(at.plus(seen.settings().retireKmsAfter())))
            .isPresent();
  }

  private static boolean isDecrypted(Resource resource, ObservedState seen) {
    return !seen.wanted().resources().contains(resource)
        && seen.rollout() instanceof Converged converged
        && Optional.ofNullable(seen.activity().migrations().get(resource))
            .filter(done -> done.target().equals(MigrationTarget.plaintext()))
            .filter(done -> done.state() instanceof Succeeded)
            .map(MigrationStatus::witness)
            .filter(converged.witness()::equals)
            .isPresent();
  }
}
