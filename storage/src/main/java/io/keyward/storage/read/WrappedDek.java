package io.keyward.storage.read;

import io.keyward.etcd.bytes.ByteView;
import io.keyward.storage.config.Provider.Version;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What a KMS needs to give a DEK (or a seed) back. Equal ones have the same answer.
public record WrappedDek(
    String provider,
    Version version,
    ByteView ciphertext,
    String keyId,
    SortedMap<String, ByteView> annotations) {
  public WrappedDek {
    annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
  }

  /// KMS v1 stores neither a key id nor annotations.
  public static WrappedDek v1(String provider, ByteView ciphertext) {
    return new WrappedDek(provider, Version.V1, ciphertext, "", new TreeMap<>());
  }
}
