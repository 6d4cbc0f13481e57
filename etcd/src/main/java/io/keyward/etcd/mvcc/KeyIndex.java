package io.keyward.etcd.mvcc;

import java.util.BitSet;
import java.util.function.LongConsumer;

/// Which revision of each key is the newest. Exact: keys with equal hashes are compared in the
/// file. Costs 16 bytes a slot and keeps at most three quarters of the slots in use.
final class KeyIndex {
  private static final int EMPTY = 0;
  private static final int FIRST_SLOTS = 1024;

  private final KeyRecord other;
  private final LongConsumer load;
  private final BitSet live = new BitSet();
  private int[] hashes = new int[FIRST_SLOTS];

  /// Record number plus one, so that zero means an empty slot.
  private int[] newest = new int[FIRST_SLOTS];

  private long[] places = new long[FIRST_SLOTS];
  private int used;
  private int keys;

  /// `load` makes `other` show the record at a place.
  KeyIndex(KeyRecord other, LongConsumer load) {
    this.other = other;
    this.load = load;
  }

  void add(KeyRecord record, int number) {
    int hash = record.keyHash();
    int slot = find(record, hash);
    if (newest[slot] == EMPTY) {
      hashes[slot] = hash;
      used++;
    } else if (live.get(newest[slot] - 1)) {
      live.clear(newest[slot] - 1);
      keys--;
    }
    newest[slot] = number + 1;
    places[slot] = record.elementAt();
    if (!record.isTombstone()) {
      live.set(number);
      keys++;
    }
    if (used > hashes.length / 4 * 3) {
      grow();
    }
  }

  boolean isLive(int number) {
    return live.get(number);
  }

  int liveKeys() {
    return keys;
  }

  private int find(KeyRecord record, int hash) {
    int mask = hashes.length - 1;
    int slot = hash & mask;
    while (newest[slot] != EMPTY) {
      if (hashes[slot] == hash) {
        load.accept(places[slot]);
        if (other.hasSameKeyAs(record)) {
          return slot;
        }
      }
      slot = (slot + 1) & mask;
    }
    return slot;
  }

  private void grow() {
    int[] oldHashes = hashes;
    int[] oldNewest = newest;
    long[] oldPlaces = places;
    hashes = new int[oldHashes.length * 2];
    newest = new int[oldHashes.length * 2];
    places = new long[oldHashes.length * 2];
    int mask = hashes.length - 1;
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldNewest[i] != EMPTY) {
        int slot = oldHashes[i] & mask;
        while (newest[slot] != EMPTY) {
          slot = (slot + 1) & mask;
        }
        hashes[slot] = oldHashes[i];
        newest[slot] = oldNewest[i];
        places[slot] = oldPlaces[i];
      }
    }
  }
}
