package io.keyward.core.model.key;

import io.keyward.core.model.Resource;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// All keys that are known, newest first. Which of them may still protect data is said here and
/// nowhere else. One that was taken back is known, for its serial, and counts nowhere else.
public record KeyRing(List<Key> keys) {
  private static final Comparator<Key> NEWEST_FIRST = Comparator.comparing(Key::serial).reversed();

  public static final KeyRing EMPTY = new KeyRing(List.of());

  public KeyRing {
    var sorted = new ArrayList<>(keys);
    sorted.sort(NEWEST_FIRST);
    keys = List.copyOf(sorted);
  }

  /// What the secrets say, corrected and completed by what is deployed or on its way.
  ///
  /// A key in use whose secret is lost, damaged or says something else is taken from `inUse`, as
  /// unbacked. Earlier rings in `inUse` win over later ones.
  public static KeyRing merge(Collection<Key> secrets, List<? extends Collection<Key>> inUse) {
    var bySerial = new TreeMap<KeySerial, Key>();
    for (Collection<Key> layer : inUse) {
      for (Key key : layer) {
        bySerial.merge(key.serial(), key, KeyRing::moreComplete);
      }
    }
    for (Key secret : secrets) {
      Key used = bySerial.get(secret.serial());
      if (used == null || !secret.contradicts(used)) {
        bySerial.put(secret.serial(), secret.asBacked());
      }
    }
    return new KeyRing(List.copyOf(bySerial.values()));
  }

  private static Key moreComplete(Key first, Key second) {
    return !first.isComplete() && second.isComplete() && !second.contradicts(first)
        ? second
        : first;
  }

  /// The newest that was not taken back.
  public Optional<Key> newest() {
    for (Key key : keys) {
      if (!key.isRetracted()) {
        return Optional.of(key);
      }
    }
    return Optional.empty();
  }

  /// Keys whose secret is lost, and can be written again from a configuration.
  public List<Key> lost() {
    return keys.stream().filter(key -> !key.backed() && key.isComplete()).toList();
  }

  private List<Key> living() {
    var living = new ArrayList<>(keys);
    living.removeIf(Key::isRetracted);
    return living;
  }

  /// What writes stays, whatever is said of it.
  public KeyStack withoutRetracted(KeyStack stack) {
    return stack.keepingIf(slot -> stack.writes(slot.serial()) || !isRetracted(slot.key()));
  }

  private boolean isRetracted(Key key) {
    return find(key.serial()).filter(known -> known.isRetracted() && known.isSame(key)).isPresent();
  }

  public Optional<Key> find(KeySerial serial) {
    for (Key key : keys) {
      if (key.serial().equals(serial)) {
        return Optional.of(key);
      }
    }
    return Optional.empty();
  }

  /// Newest first, down to the key under which the last of these resources was fully migrated.
  /// Nothing older can protect data of them; all of these may.
  public List<Key> mayProtect(Collection<Resource> resources) {
    var open = new TreeSet<>(resources);
    var needed = new ArrayList<Key>();
    for (Key key : living()) {
      needed.add(key);
      open.removeAll(key.migrated().resources());
      if (open.isEmpty()) {
        break;
      }
    }
    return List.copyOf(needed);
  }

  /// The key right below these, which is kept for restored backups.
  public Optional<Key> predecessorOf(List<Key> needed) {
    List<Key> living = living();
    return living.size() > needed.size()
        ? Optional.of(living.get(needed.size()))
        : Optional.empty();
  }
}
