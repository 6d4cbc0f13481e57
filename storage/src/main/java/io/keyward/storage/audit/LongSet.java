package io.keyward.storage.audit;

/// Distinct numbers, eight bytes a slot: wrapped DEKs of KMS v1 are as many as the objects.
final class LongSet {
  private static final int FIRST_SLOTS = 8;

  private long[] slots = new long[FIRST_SLOTS];
  private int used;
  private boolean hasZero;

  void add(long number) {
    if (number == 0) {
      hasZero = true;
      return;
    }
    if (used > slots.length / 4 * 3) {
      grow();
    }
    if (put(slots, number)) {
      used++;
    }
  }

  int size() {
    return used + (hasZero ? 1 : 0);
  }

  private static boolean put(long[] into, long number) {
    int mask = into.length - 1;
    int slot = (int) (number ^ number >>> 32) & mask;
    while (into[slot] != 0) {
      if (into[slot] == number) {
        return false;
      }
      slot = (slot + 1) & mask;
    }
    into[slot] = number;
    return true;
  }

  private void grow() {
    var larger = new long[slots.length * 2];
    for (long number : slots) {
      if (number != 0) {
        put(larger, number);
      }
    }
    slots = larger;
  }
}
