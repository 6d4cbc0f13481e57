package io.keyward.etcd.wal;

import io.keyward.etcd.bytes.Bytes;

/// Sees what was written to keys, in log order.
@FunctionalInterface
public interface WalEntryVisitor {
  void put(Bytes key, Bytes value);
}
