package io.keyward.testkit.sim;

import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.key.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeMap;
import java.util.TreeSet;
import org.jspecify.annotations.Nullable;

/// Statement 3: serials only grow, at most one key is on its way, and a key that an instance has
/// seen finishes its cycle.
final class KeyCycles {
  private final Server server;

  /// Every key that a configuration ever had, as it was there. Somebody may have edited its secret
  /// in between.
  private final TreeMap<KeySerial, List<Key>> used = new TreeMap<>();

  /// Keys that were withdrawn before they could write. If somebody damages such a secret, the key
  /// still protects nothing, until a configuration writes with it.
  private final TreeSet<KeySerial> withdrawn = new TreeSet<>();

  KeyCycles(Server server) {
    this.server = server;
  }

  boolean wasPublished(KeySerial serial) {
    return used.containsKey(serial);
  }

  static boolean isWithdrawn(Key key) {
    return key.stage() == KeyStage.RETRACTED
        && key.migrated().at().isEmpty()
        && key.migrated().resources().isEmpty();
  }

  void onKey(Server.@Nullable Secret before, Key key, RequestedEncryption wanted) {
    if (before == null && !isKnown(key)) {
      onCreate(key, wanted);
    }
    if (before != null && !isKnown(key) && (before.damaged() || isAnother(before.key(), key))) {
      throw broken("the secret of key " + key.serial() + " is replaced by another key");
    }
    if (before != null
        && !before.damaged()
        && before.key().stage() == KeyStage.WRITE
        && key.stage() != KeyStage.WRITE) {
      throw broken("key " + key.serial() + " may write and loses that stage");
    }
    if (!isWithdrawn(key)) {
      // A damaged secret that is restored from a configuration has lost that mark.
      if (before == null || !before.damaged()) {
        withdrawn.remove(key.serial());
      }
      return;
    }
    if (mayHaveWritten(key)) {
      throw broken("key " + key.serial() + " is withdrawn although it may have written");
    }
    withdrawn.add(key.serial());
  }

  /// The secret of a key that is in use, written again.
  private boolean isKnown(Key key) {
    return used.getOrDefault(key.serial(), List.of()).stream()
        .anyMatch(old -> !isAnother(old, key));
  }

  private static boolean isAnother(Key one, Key other) {
    return one.mode() != other.mode() || !one.material().equals(other.material());
  }

  private void onCreate(Key key, RequestedEncryption wanted) {
    boolean isUsed = !used.isEmpty() && key.serial().compareTo(used.lastKey()) <= 0;
    boolean isBelow = !server.secrets.tailMap(key.serial()).isEmpty();
    if (isUsed || isBelow) {
      throw broken("serial " + key.serial() + " was used before");
    }
    Key newest =
        server.secrets.descendingMap().values().stream()
            .filter(secret -> secret.damaged() || !isWithdrawn(secret.key()))
            .findFirst()
            .filter(secret -> !secret.damaged())
            .map(Server.Secret::key)
            .orElse(null);
    if (newest != null && !isFinished(newest, wanted) && !isPassedOver(newest, wanted)) {
      throw broken(
          "key " + key.serial() + " is made while key " + newest.serial() + " is on its way");
    }
  }

  private static boolean isFinished(Key key, RequestedEncryption wanted) {
    return key.migrated().resources().containsAll(wanted.resources());
  }

  /// A key for plaintext is not finished once plaintext is no longer asked for, as long as some
  /// instance still writes encrypted: it would decrypt everything. A fault may have taken the
  /// configuration of that instance away since.
  private boolean isPassedOver(Key newest, RequestedEncryption wanted) {
    return newest.mode() == Mode.IDENTITY
        && wanted.mode() != Mode.IDENTITY
        && wanted.resources().stream()
            .anyMatch(resource ->
                server.instances.stream()
                    .anyMatch(one ->
                        one.runs.vanished()
                            || ProviderEntries.writer(server.layoutOf(one), resource) != null));
  }

  private boolean mayHaveWritten(Key key) {
    for (Value[] values : server.etcd.values()) {
      for (Value value : values) {
        Key sealedBy = value.sealedBy();
        if (sealedBy != null && sealedBy.serial().equals(key.serial())) {
          return true;
        }
      }
    }
    return writes(server.published, key)
        || writes(server.newestRevision().layout(), key)
        || server.instances.stream().anyMatch(one -> writes(server.layoutOf(one), key));
  }

  private static boolean writes(@Nullable EncryptionLayout layout, Key key) {
    return layout != null
        && layout.stacks().keySet().stream()
            .map(resource -> ProviderEntries.writer(layout, resource))
            .anyMatch(entry -> entry != null && entry.serial().equals(key.serial()));
  }

  /// The newest key that an instance has stays until a newer one is there.
  void onPublish(EncryptionLayout layout) {
    for (Instance instance : server.instances) {
      EncryptionLayout runs = server.layoutOf(instance);
      if (runs != null) {
        runs.stacks().forEach((resource, stack) -> keepsNewest(layout, resource, stack));
      }
    }
    for (Key key : layout.keys()) {
      List<Key> known = used.computeIfAbsent(key.serial(), _ -> new ArrayList<>());
      if (!isKnown(key)) {
        known.add(key);
      }
      if (writes(layout, key)) {
        withdrawn.remove(key.serial());
      }
    }
  }

  private void keepsNewest(EncryptionLayout layout, Resource resource, KeyStack runs) {
    KeyStack next = layout.stacks().get(resource);
    if (next == null) {
      return;
    }
    for (KeyStack.Slot slot : runs.reads()) {
      if (!isWithdrawn(slot.key().serial())) {
        boolean isKept =
            next.reads().stream()
                .anyMatch(one -> one.key().serial().compareTo(slot.key().serial()) >= 0);
        if (!isKept) {
          throw broken("key " + slot.key().serial() + " leaves before its cycle is finished");
        }
        return;
      }
    }
  }

  private boolean isWithdrawn(KeySerial serial) {
    Server.Secret secret = server.secrets.get(serial);
    return secret != null
        && (withdrawn.contains(serial) || (!secret.damaged() && isWithdrawn(secret.key())));
  }

  private Violation broken(String what) {
    return new Violation(3, server.name + ": " + what);
  }
}
