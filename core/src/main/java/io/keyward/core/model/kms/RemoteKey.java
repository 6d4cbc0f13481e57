package io.keyward.core.model.kms;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// Which key in which KMS. Another remote key means re-encryption; credentials are no part of it.
public record RemoteKey(String provider, SortedMap<String, String> fields) {
  public RemoteKey {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }
}
