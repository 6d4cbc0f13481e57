/// Reads what etcd stores: database files, snapshots, write-ahead logs. JDK only; never writes.
module io.keyward.etcd {
  requires static transitive org.jspecify;

  exports io.keyward.etcd.bolt;
  exports io.keyward.etcd.bytes;
  exports io.keyward.etcd.mvcc;
  exports io.keyward.etcd.snapshot;
  exports io.keyward.etcd.wal;
}
