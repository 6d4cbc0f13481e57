package io.keyward.codec;

import io.keyward.core.model.key.DataValue;
import java.util.Collections;
import java.util.List;
import java.util.SortedMap;
import java.util.TreeMap;

/// A Kubernetes Secret as far as these codecs go. Always of type `Opaque`.
public record SecretObject(
    String namespace,
    String name,
    SortedMap<String, String> labels,
    SortedMap<String, String> annotations,
    List<String> finalizers,
    SortedMap<String, DataValue> data) {
  public static final String TYPE = "Opaque";

  public SecretObject {
    labels = Collections.unmodifiableSortedMap(new TreeMap<>(labels));
    annotations = Collections.unmodifiableSortedMap(new TreeMap<>(annotations));
    finalizers = List.copyOf(finalizers);
    data = Collections.unmodifiableSortedMap(new TreeMap<>(data));
  }
}
