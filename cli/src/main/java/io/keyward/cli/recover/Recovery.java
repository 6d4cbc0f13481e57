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
  private final Map<String, String> incomplete = new TreeMap<>();
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
      case Reading.Refused refused ->
          failures.put(name, refused.errorClass().name() + ": " + refused.words());
      case Reading.Opened(var plaintext, _, _) -> write(name, plaintext, KubeObject.of(plaintext));
    }
  }

  private void write(String key, Bytes plaintext, KubeObject object) {
    switch (object) {
      case KubeObject.Raw(var apiVersion, var kind, _) ->
          raw(key, kind.isEmpty() ? "unknown type" : apiVersion + " " + kind, object);
      case KubeObject.Decoded(_, var unknown) when !unknown.isEmpty() -> {
        written(key, object);
        incomplete.put(key, String.join(", ", unknown));
        if (sink.takesRaw()) {
          sink.write(key, new KubeObject.Raw("", "", plaintext));
        }
      }
      case KubeObject.Decoded _, KubeObject.Json _ -> written(key, object);
    }
  }

  private void raw(String key, String type, KubeObject object) {
    if (sink.takesRaw()) {
      raw.put(key, type);
      written(key, object);
    } else {
      failures.put(key, "NOT_DECODED: " + type + "; its bytes can go to a directory: --to");
    }
  }

  private void written(String key, KubeObject object) {
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

  /// Fields that are unknown here and were left out, by etcd key.
  Map<String, String> incomplete() {
    return incomplete;
  }

  /// What was written as bytes, by etcd key.
  Map<String, String> raw() {
    return raw;
  }
}
