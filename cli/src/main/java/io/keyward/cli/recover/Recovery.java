package io.keyward.cli.recover;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.etcd.mvcc.KeyRecord;
import io.keyward.storage.envelope.DisplayName;
import io.keyward.storage.object.KubeObject;
import io.keyward.storage.read.Reading;
import io.keyward.storage.read.StorageReader;
import io.keyward.storage.resource.EtcdKey;
import java.io.IOException;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;

/// Opens chosen objects and hands them on. Keeps book of what failed, and why.
final class Recovery {
  private final StorageReader reader;
  private final KeyPattern wanted;
  private final Optional<String> prefix;
  private final ObjectSink sink;
  private final Map<String, String> failures = new TreeMap<>();
  private final Map<String, String> raw = new TreeMap<>();
  private final Map<String, String> incomplete = new TreeMap<>();
  private final Set<String> salvaged = new TreeSet<>();
  private int count;

  Recovery(StorageReader reader, KeyPattern wanted, Optional<String> prefix, ObjectSink sink) {
    this.reader = reader;
    this.wanted = wanted;
    this.prefix = prefix;
    this.sink = sink;
  }

  boolean wants(ByteView key) {
    return wanted.matches(DisplayName.of(key));
  }

  void take(KeyRecord record) {
    ByteView key = record.key();
    if (!wants(key)) {
      return;
    }
    switch (reader.read(EtcdKey.parse(key, prefix).resource(), key, record.value())) {
      case Reading.Refused refused ->
          fail(key, refused.errorClass().name() + ": " + refused.words());
      case Reading.Opened(var plaintext, _, _) -> write(key, plaintext, KubeObject.of(plaintext));
    }
  }

  /// One object that cannot be written leaves the others alone.
  private void write(ByteView key, ByteView plaintext, KubeObject object) {
    try {
      write(key, object);
      if (object instanceof KubeObject.Decoded(_, var unknown) && !unknown.isEmpty()) {
        incomplete.put(DisplayName.of(key), String.join(", ", unknown));
        if (sink.takesRaw()) {
          sink.write(key, new KubeObject.Raw("", "", plaintext));
        }
      }
    } catch (IOException e) {
      fail(key, "cannot write it: " + e.getMessage());
    }
  }

  private void write(ByteView key, KubeObject object) throws IOException {
    if (object instanceof KubeObject.Raw(var apiVersion, var kind, _)) {
      String type = kind.isEmpty() ? "unknown type" : apiVersion + " " + kind;
      if (!sink.takesRaw()) {
        fail(key, "NOT_DECODED: " + type + "; its bytes can go to a directory: --to");
        return;
      }
      raw.put(DisplayName.of(key), type);
    }
    sink.write(key, object);
    count++;
  }

  private void fail(ByteView key, String why) {
    failures.put(DisplayName.of(key), why);
  }

  /// Notes that an object comes from a page which the damaged tree lost; false where it is known.
  boolean salvaged(String key) {
    return salvaged.add(key);
  }

  Set<String> salvaged() {
    return salvaged;
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
