package io.keyward.cli.inspect;

import io.keyward.etcd.bytes.ByteView;

/// A key with its value, as it came in.
record StoredValue(ByteView key, ByteView value) {}
