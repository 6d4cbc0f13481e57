package io.keyward.core.event;

import io.keyward.core.event.TurnEvent.Part;
import io.keyward.core.key.KeyDecision.Mint;
import io.keyward.core.key.KeyDecision.Retract;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyRing;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.narrator.Narrator;
import io.keyward.core.prune.PruneDecision.Delete;
import io.keyward.core.turn.TurnPlan;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;

/// Puts a plan into events: what becomes of keys, and how the next configuration differs from the
/// one that runs.
public final class EventReporter {
  private EventReporter() {}

  public static List<TurnEvent> report(ObservedState seen, TurnPlan plan) {
    var events = new ArrayList<TurnEvent>();
    if (plan.key() instanceof Mint mint) {
      events.add(
          new TurnEvent(
              Part.KEY,
              "EncryptionKeyCreated",
              secret(seen, mint.serial())
                  + " successfully created: [\""
                  + mint.internalReason()
                  + "\"]"));
    }
    if (plan.key() instanceof Retract(var key)) {
      events.add(
          new TurnEvent(
              Part.KEY,
              "EncryptionKeyRetracted",
              secret(seen, key.serial()) + " was withdrawn: " + Narrator.WITHDRAWN));
    }
    plan.layout()
        .next()
        .ifPresent(next -> {
          add(events, "EncryptionConfigurationWritten", Narrator.of(plan.layout()));
          compare(seen.deployed().orElse(EncryptionLayout.EMPTY), next, seen.ring(), events);
        });
    if (plan.prune() instanceof Delete(var serials, var damaged)) {
      int count = serials.size() + damaged.size();
      events.add(
          new TurnEvent(
              Part.PRUNE, "EncryptionKeysPruned", "Successfully pruned " + count + " secrets"));
    }
    return List.copyOf(events);
  }

  private static String secret(ObservedState seen, KeySerial serial) {
    return "Secret \"encryption-key-" + seen.component() + "-" + serial + "\"";
  }

  private static void compare(
      EncryptionLayout runs, EncryptionLayout next, KeyRing ring, List<TurnEvent> events) {
    var all = new TreeSet<>(runs.stacks().keySet());
    all.addAll(next.stacks().keySet());
    for (Resource resource : all) {
      String name = "\"" + resource + "\"";
      if (!next.covers(resource)) {
        add(
            events,
            "EncryptionResourceRemoved",
            "Resource " + name + " was removed from encryption config");
      } else if (!runs.covers(resource)) {
        String writer =
            next.stack(resource)
                .write()
                .map(serial -> " with write key \"" + serial + "\"")
                .orElse(" without write key");
        add(
            events,
            "EncryptionResourceAdded",
            "Resource " + name + " was added to encryption config" + writer);
      } else {
        stacks(name, runs.stack(resource), next.stack(resource), ring, events);
      }
    }
  }

  private static void stacks(
      String name, KeyStack runs, KeyStack next, KeyRing ring, List<TurnEvent> events) {
    Optional<Key> before = known(runs, ring);
    Optional<Key> after = known(next, ring);
    if (before.isPresent() && after.isPresent()) {
      writers(name, before.orElseThrow(), after.orElseThrow(), events);
    } else if (after.isPresent()) {
      add(
          events,
          "EncryptionKeyPromoted",
          "Promoting key "
              + quoted(after.orElseThrow())
              + " for resource "
              + name
              + " to write key");
    } else if (before.isPresent()) {
      add(
          events,
          "EncryptionKeyRemoved",
          "Removing key " + quoted(before.orElseThrow()) + " as write key of resource " + name);
    }
    if (runs.reads().size() != next.reads().size()) {
      add(
          events,
          "EncryptionReadKeysChanged",
          "Number of read keys for resource "
              + name
              + " changed from "
              + runs.reads().size()
              + " to "
              + next.reads().size());
    }
  }

  private static void writers(String name, Key before, Key after, List<TurnEvent> events) {
    String triggered = "Triggered key " + quoted(before) + " for resource " + name + " because ";
    if (!before.externalReason().equals(after.externalReason())) {
      add(events, "EncryptionWriteKeyTriggeredExternal", triggered + after.externalReason());
    }
    if (!before.internalReason().equals(after.internalReason())) {
      add(events, "EncryptionWriteKeyTriggeredInternal", triggered + after.internalReason());
    }
    if (!before.isSame(after)) {
      add(
          events,
          "EncryptionWriteKeyChanged",
          "Write key " + quoted(before) + " for resource " + name + " changed");
    }
  }

  /// A configuration knows no reasons; the secret does.
  private static Optional<Key> known(KeyStack stack, KeyRing ring) {
    return stack.writeKey().map(key -> ring.find(key.serial()).orElse(key));
  }

  private static String quoted(Key key) {
    return "\"" + key.serial() + "\"";
  }

  private static void add(List<TurnEvent> events, String reason, String message) {
    events.add(new TurnEvent(Part.LAYOUT, reason, message));
  }
}
