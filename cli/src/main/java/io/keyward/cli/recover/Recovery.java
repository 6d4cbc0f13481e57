package io.keyward.cli.recover;

import io.keyward.etcd.bytes.Bytes;
import io.keyward.etcd.mvcc.KeyRecord;
import io.keyward.storage.envelope.DisplayName;
import io.keyward.storage.object.KubeObject;
import io.keyward.storage.read.Reading;
import io.keyward.storage.read.StorageReader;
import io.keyward.storage.resource.EtcdKey;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// Opens chosen objects and hands them on. Keeps book of what failed, and why.
final class Recovery {
  private final StorageReader reader;
  private final KeyPattern wanted;
  private final Optional<String> prefix;
  private final ObjectSink sink;
  private final Map<String, String> failures = new TreeMap<>();
  private final Map<String, String> raw = new TreeMap<>();
  private int count;

  Recovery(StorageReader reader, KeyPattern wanted, Optional<String> prefix, ObjectSink sink) {
    this.reader = reader;
    this.wanted = wanted;
    this.prefix = prefix;
    this.sink = sink;
  }

  void take(KeyRecord record) {
    Bytes key = record.key();
    String name = DisplayName.of(key);
    if (!wanted.matches(name)) {
      return;
    }
    switch (reader.read(EtcdKey.parse(key, prefix).resource(), key, record.value())) {
      case Reading.Refused(var errorClass) ->
          failures.put(name, errorClass.name() + ": " + errorClass.words());
      case Reading.Opened(var plaintext, _, _) -> write(name, KubeObject.of(plaintext));
    }
  }

  private void write(String key, KubeObject object) {
    if (object instanceof KubeObject.Raw(var apiVersion, var kind, _)) {
      raw.put(key, kind.isEmpty() ? "unknown type" : apiVersion + " " + kind);
    }
    sink.write(key, object);
    count++;
  }

  int count() {
    return count;
  }

  /// By etcd key.
  Map<String, String> failures() {
    return failures;
  }

  /// What was written as bytes, by etcd key.
  Map<String, String> raw() {
    return raw;
  }
}
