package io.keyward.core.model.key;

import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.function.Predicate;

/// The keys of one resource: at most one writes, all read, newest first. No write key is identity.
///
/// @param reads includes the write key
public record KeyStack(Optional<KeySerial> write, List<Slot> reads) {
  private static final Comparator<Slot> NEWEST_FIRST =
      Comparator.comparing(Slot::serial).reversed();

  public static final KeyStack EMPTY = new KeyStack(Optional.empty(), List.of());

  /// A key and the name its KMS provider has in the configuration. Stored values begin with that
  /// name, so once deployed it never changes. Empty for every other mode.
  public record Slot(Key key, String providerName) {
    public KeySerial serial() {
      return key.serial();
    }

    boolean isSameProvider(Slot other) {
      return key.isSame(other.key) && providerName.equals(other.providerName);
    }
  }

  public KeyStack {
    var sorted = new ArrayList<>(reads);
    sorted.sort(NEWEST_FIRST);
    reads = List.copyOf(sorted);
    if (write.isEmpty()) {
      // A configuration cannot tell them apart: both put identity first and end with the marker.
      write = newestPlaintext(reads);
    }
  }

  private static Optional<KeySerial> newestPlaintext(List<Slot> reads) {
    for (Slot slot : reads) {
      if (slot.key().mode() == Mode.IDENTITY) {
        return Optional.of(slot.serial());
      }
    }
    return Optional.empty();
  }

  public Optional<Key> writeKey() {
    return write.flatMap(this::find);
  }

  public Optional<Key> find(KeySerial serial) {
    return slot(serial).map(Slot::key);
  }

  public Optional<Slot> slot(KeySerial serial) {
    for (Slot slot : reads) {
      if (slot.serial().equals(serial)) {
        return Optional.of(slot);
      }
    }
    return Optional.empty();
  }

  public boolean writes(KeySerial serial) {
    return write.filter(serial::equals).isPresent();
  }

  public boolean reads(KeySerial serial) {
    return slot(serial).isPresent();
  }

  boolean hasSameProvider(Slot slot) {
    return slot(slot.serial()).filter(slot::isSameProvider).isPresent();
  }

  public List<Key> keys() {
    var keys = new ArrayList<Key>(reads.size());
    for (Slot slot : reads) {
      keys.add(slot.key());
    }
    return List.copyOf(keys);
  }

  public KeyStack adding(Collection<Slot> more) {
    var all = new ArrayList<>(reads);
    all.addAll(more);
    return new KeyStack(write, all);
  }

  public KeyStack writing(Optional<KeySerial> serial) {
    return new KeyStack(serial, reads);
  }

  public KeyStack keeping(Collection<KeySerial> serials) {
    return keepingIf(slot -> serials.contains(slot.serial()));
  }

  KeyStack keepingIf(Predicate<Slot> isKept) {
    var kept = new ArrayList<>(reads);
    return kept.removeIf(isKept.negate()) ? new KeyStack(write, kept) : this;
  }

  /// The same providers in the same order. What the plugins are started with may differ.
  public boolean hasSameProviders(KeyStack other) {
    if (!write.equals(other.write) || reads.size() != other.reads.size()) {
      return false;
    }
    for (int i = 0; i < reads.size(); i++) {
      if (!reads.get(i).isSameProvider(other.reads.get(i))) {
        return false;
      }
    }
    return true;
  }
}
