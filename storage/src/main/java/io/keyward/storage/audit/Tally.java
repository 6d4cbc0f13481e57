package io.keyward.storage.audit;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.envelope.ValueEnvelope;

/// Counts of one kind of values.
public final class Tally {
  private final LongSet deks = new LongSet();
  private long objects;
  private long bytes;
  private long oldest = Long.MAX_VALUE;
  private long newest;

  void add(int size, long revision) {
    objects++;
    bytes += size;
    oldest = Math.min(oldest, revision);
    newest = Math.max(newest, revision);
  }

  void addDek(ValueEnvelope envelope) {
    switch (envelope) {
      case ValueEnvelope.KmsV1(_, var wrapped, _) -> deks.add(hash(wrapped));
      case ValueEnvelope.KmsV2(_, var sealed) -> deks.add(hash(sealed.dekSource()));
      case ValueEnvelope.Plain _, ValueEnvelope.LocalSealed _, ValueEnvelope.Malformed _ -> {}
    }
  }

  private static long hash(ByteView wrapped) {
    long hash = 0xcbf29ce484222325L;
    for (int i = 0; i < wrapped.size(); i++) {
      hash = (hash ^ (wrapped.at(i) & 0xff)) * 0x100000001b3L;
    }
    return hash ^ hash >>> 32;
  }

  public long objects() {
    return objects;
  }

  public long bytes() {
    return bytes;
  }

  /// Distinct wrapped DEKs.
  public int wrappedDeks() {
    return deks.size();
  }

  /// The revision of the oldest write. etcd keeps no times.
  public long oldestRevision() {
    return objects == 0 ? 0 : oldest;
  }

  public long newestRevision() {
    return newest;
  }
}
