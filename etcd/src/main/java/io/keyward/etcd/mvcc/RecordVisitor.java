package io.keyward.etcd.mvcc;

/// Sees revisions in the order they were made.
@FunctionalInterface
public interface RecordVisitor {
  /// `live`: the newest of its key, and not a deletion. The record is only valid during the call.
  void visit(KeyRecord record, boolean live);
}
