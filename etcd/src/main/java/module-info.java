/// Reads what etcd stores: database files, snapshots, write-ahead logs. JDK only; never writes.
module io.keyward.etcd {
  requires static transitive org.jspecify;

  exports io.keyward.etcd.bytes;
}
