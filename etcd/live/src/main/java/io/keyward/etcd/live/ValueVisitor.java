package io.keyward.etcd.live;

import io.keyward.etcd.bytes.Bytes;

/// Sees every key of a running etcd with its value.
@FunctionalInterface
public interface ValueVisitor {
  void visit(Bytes key, Bytes value, long modRevision);
}
