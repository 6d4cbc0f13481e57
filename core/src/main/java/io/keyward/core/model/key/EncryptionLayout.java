package io.keyward.core.model.key;

import io.keyward.core.model.Resource;
import java.util.Collections;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.function.Function;

/// What an EncryptionConfiguration means: for each resource, who writes and who reads.
public final class EncryptionLayout {
  public static final EncryptionLayout EMPTY = new EncryptionLayout(new TreeMap<>());

  private final SortedMap<Resource, KeyStack> stacks;
  private final List<Key> keys;

  public EncryptionLayout(SortedMap<Resource, KeyStack> stacks) {
    this.stacks = Collections.unmodifiableSortedMap(new TreeMap<>(stacks));
    var all = new LinkedHashMap<KeySerial, Key>();
    for (KeyStack stack : stacks.values()) {
      for (KeyStack.Slot slot : stack.reads()) {
        all.putIfAbsent(slot.serial(), slot.key());
      }
    }
    this.keys = List.copyOf(all.values());
  }

  public SortedMap<Resource, KeyStack> stacks() {
    return stacks;
  }

  public KeyStack stack(Resource resource) {
    return stacks.getOrDefault(resource, KeyStack.EMPTY);
  }

  public boolean covers(Resource resource) {
    return stacks.containsKey(resource);
  }

  /// Every key once, as it is in use here.
  public List<Key> keys() {
    return keys;
  }

  /// The numbers of the keys that another configuration lacks.
  public SortedSet<KeySerial> keysNotIn(EncryptionLayout other) {
    var serials = new TreeSet<KeySerial>();
    keys.forEach(key -> serials.add(key.serial()));
    other.keys.forEach(key -> serials.remove(key.serial()));
    return serials;
  }

  public boolean hasSameProviders(EncryptionLayout other) {
    if (!stacks.keySet().equals(other.stacks.keySet())) {
      return false;
    }
    for (Map.Entry<Resource, KeyStack> entry : stacks.entrySet()) {
      if (!entry.getValue().hasSameProviders(other.stack(entry.getKey()))) {
        return false;
      }
    }
    return true;
  }

  /// The same providers, and plugins that are started with the same configuration and credentials.
  public boolean isSame(EncryptionLayout other) {
    if (!hasSameProviders(other)) {
      return false;
    }
    for (Map.Entry<Resource, KeyStack> entry : stacks.entrySet()) {
      var mine = entry.getValue().reads();
      var theirs = other.stack(entry.getKey()).reads();
      for (int i = 0; i < mine.size(); i++) {
        if (!mine.get(i).key().kms().equals(theirs.get(i).key().kms())) {
          return false;
        }
      }
    }
    return true;
  }

  /// What an instance with one of them writes, an instance with the other can read.
  public boolean livesBeside(EncryptionLayout other) {
    return reads(other) && other.reads(this);
  }

  private boolean reads(EncryptionLayout writer) {
    for (Map.Entry<Resource, KeyStack> entry : writer.stacks.entrySet()) {
      KeyStack writing = entry.getValue();
      var unread =
          writing
              .write()
              .flatMap(writing::slot)
              .filter(slot -> slot.key().mode() != Mode.IDENTITY)
              .filter(slot -> !stack(entry.getKey()).hasSameProvider(slot));
      if (unread.isPresent()) {
        return false;
      }
    }
    return true;
  }

  public boolean hasWriteKeys() {
    return stacks.values().stream().anyMatch(stack -> stack.write().isPresent());
  }

  public EncryptionLayout mapStacks(Function<Map.Entry<Resource, KeyStack>, KeyStack> change) {
    var changed = new TreeMap<Resource, KeyStack>();
    stacks.entrySet().forEach(entry -> changed.put(entry.getKey(), change.apply(entry)));
    return new EncryptionLayout(changed);
  }

  /// `secrets[kms:8 aescbc:7]`, the write key first, identity as `-`.
  public String label() {
    var text = new StringBuilder();
    stacks.forEach((resource, stack) -> {
      text.append(text.isEmpty() ? "" : " ").append(resource).append('[');
      text.append(stack.writeKey().map(Key::label).orElse("-"));
      stack.reads().stream()
          .filter(slot -> !stack.write().equals(Optional.of(slot.serial())))
          .forEach(slot -> text.append(' ').append(slot.key().label()));
      text.append(']');
    });
    return text.toString();
  }

  @Override
  public boolean equals(Object other) {
    return this == other || (other instanceof EncryptionLayout that && stacks.equals(that.stacks));
  }

  @Override
  public int hashCode() {
    return stacks.hashCode();
  }

  @Override
  public String toString() {
    return label();
  }
}
