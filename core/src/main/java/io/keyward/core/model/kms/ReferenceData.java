package io.keyward.core.model.kms;

import io.keyward.core.model.key.DataValue;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// What was copied out of referenced Secrets or ConfigMaps, under `name_dataKey`.
///
/// The values of both may be secret: a CA bundle is not, a token is, and only its owner knows.
/// Object names cannot hold an underscore, so the first one is the border.
public record ReferenceData(SortedMap<String, DataValue> entries) {
  public static final ReferenceData NONE = new ReferenceData(new TreeMap<>());

  public ReferenceData {
    entries = Collections.unmodifiableSortedMap(new TreeMap<>(entries));
  }

  @Override
  public String toString() {
    return "ReferenceData" + entries.keySet();
  }
}
