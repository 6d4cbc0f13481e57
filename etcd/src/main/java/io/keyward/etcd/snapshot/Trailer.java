package io.keyward.etcd.snapshot;

/// The digest behind the database in a snapshot file.
public enum Trailer {
  /// A database taken from a member's directory, or a snapshot that was cut.
  ABSENT,
  VALID,
  /// The file is not what etcd wrote.
  INVALID
}
