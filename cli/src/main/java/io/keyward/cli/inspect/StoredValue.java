package io.keyward.cli.inspect;

import io.keyward.etcd.bytes.Bytes;

/// A key with its value, as it came in.
record StoredValue(Bytes key, Bytes value) {}
