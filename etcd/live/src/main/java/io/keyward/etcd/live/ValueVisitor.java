package io.keyward.etcd.live;

import io.keyward.etcd.bytes.ByteView;

/// Sees every key of a running etcd with its value.
@FunctionalInterface
public interface ValueVisitor {
  void visit(ByteView key, ByteView value, long modRevision);
}
