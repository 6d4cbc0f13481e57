package io.keyward.etcd.wal;

import io.keyward.etcd.bytes.ByteView;

/// Sees what was written to keys, in log order.
@FunctionalInterface
public interface WalEntryVisitor {
  /// `index` is the entry's place in the raft log.
  void put(long index, ByteView key, ByteView value);
}
