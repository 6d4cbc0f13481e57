package io.keyward.storage.audit;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;
import java.util.Arrays;
import org.jspecify.annotations.Nullable;

/// Remembers something for a run of bytes. Exact: it compares the bytes, not only their hashes.
/// Asks for no object of the caller to look something up, so millions of look-ups allocate nothing.
final class ByteTable<T> {
  private static final VarHandle LONGS =
      MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.LITTLE_ENDIAN);
  private static final long MIX = 0x9E3779B97F4A7C15L;
  private static final int FIRST_SLOTS = 64;

  private static final class Entry<T> {
    private final byte[] bytes;
    private final long hash;
    private final T value;

    Entry(byte[] bytes, long hash, T value) {
      this.bytes = bytes;
      this.hash = hash;
      this.value = value;
    }

    boolean is(long wantedHash, byte[] wanted, int count) {
      return hash == wantedHash && Arrays.equals(bytes, 0, bytes.length, wanted, 0, count);
    }
  }

  private Entry<T>[] slots = slots(FIRST_SLOTS);
  private int size;

  /// What is remembered for the first `count` bytes.
  @Nullable T get(byte[] bytes, int count) {
    Entry<T> found = slots[free(slots, hash(bytes, count), bytes, count)];
    return found == null ? null : found.value;
  }

  /// Remembers a value for bytes that have none yet.
  void put(byte[] bytes, int count, T value) {
    long hash = hash(bytes, count);
    slots[free(slots, hash, bytes, count)] = new Entry<>(Arrays.copyOf(bytes, count), hash, value);
    size++;
    if (size > slots.length / 2) {
      grow();
    }
  }

  int size() {
    return size;
  }

  /// Where the bytes are, or where they would go.
  private static <T> int free(Entry<T>[] in, long hash, byte[] bytes, int count) {
    int slot = (int) hash & in.length - 1;
    while (in[slot] != null && !in[slot].is(hash, bytes, count)) {
      slot = (slot + 1) & in.length - 1;
    }
    return slot;
  }

  private void grow() {
    Entry<T>[] larger = slots(slots.length * 2);
    for (Entry<T> entry : slots) {
      if (entry != null) {
        larger[free(larger, entry.hash, entry.bytes, entry.bytes.length)] = entry;
      }
    }
    slots = larger;
  }

  @SuppressWarnings({"unchecked", "rawtypes"})
  private static <T> Entry<T>[] slots(int count) {
    return new Entry[count];
  }

  private static long hash(byte[] bytes, int count) {
    long hash = count * MIX;
    int i = 0;
    for (; i + Long.BYTES <= count; i += Long.BYTES) {
      hash = (hash ^ (long) LONGS.get(bytes, i)) * MIX;
      hash ^= hash >>> 29;
    }
    for (; i < count; i++) {
      hash = (hash ^ bytes[i]) * MIX;
    }
    return hash ^ hash >>> 32;
  }
}
