package io.keyward.etcd.mvcc;

import java.util.function.LongConsumer;

/// Where the newest record of each key stands, for a walk from the newest record to the oldest: the
/// first one of a key that is added stays. Exact: keys with equal hashes are compared in the file.
///
/// Costs 12 bytes a slot and keeps at most three quarters of the slots in use, so a key costs at
/// most 32 bytes, and 48 for the moment of growing.
final class NewestRecords {
  /// No element stands there: the file begins with a meta page.
  private static final long EMPTY = 0;

  private static final int FIRST_SLOTS = 1024;

  private final KeyRecord other;
  private final LongConsumer load;
  private int[] hashes = new int[FIRST_SLOTS];
  private long[] places = new long[FIRST_SLOTS];
  private int used;

  /// `load` makes `other` show the record at a place.
  NewestRecords(KeyRecord other, LongConsumer load) {
    this.other = other;
    this.load = load;
  }

  /// Whether it is the first one of its key.
  boolean add(KeyRecord record) {
    int hash = record.keyHash();
    int slot = find(record, hash);
    if (places[slot] != EMPTY) {
      return false;
    }
    hashes[slot] = hash;
    places[slot] = record.elementAt();
    used++;
    if (used > hashes.length / 4 * 3) {
      grow();
    }
    return true;
  }

  /// Whether this is the one that was added.
  boolean has(KeyRecord record) {
    return places[find(record, record.keyHash())] == record.elementAt();
  }

  private int find(KeyRecord record, int hash) {
    int mask = hashes.length - 1;
    int slot = hash & mask;
    while (places[slot] != EMPTY) {
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
    long[] oldPlaces = places;
    hashes = new int[oldHashes.length * 2];
    places = new long[oldHashes.length * 2];
    int mask = hashes.length - 1;
    for (int i = 0; i < oldHashes.length; i++) {
      if (oldPlaces[i] != EMPTY) {
        int slot = oldHashes[i] & mask;
        while (places[slot] != EMPTY) {
          slot = (slot + 1) & mask;
        }
        hashes[slot] = oldHashes[i];
        places[slot] = oldPlaces[i];
      }
    }
  }
}
