package io.keyward.core.model.kms;

import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// A KMS configuration by its fields: `tls.caBundle.name` and so on, without the type's own member.
/// A type or a field that this release does not know is kept all the same.
public record ProviderSpec(String type, SortedMap<String, String> fields) {
  public ProviderSpec {
    fields = Collections.unmodifiableSortedMap(new TreeMap<>(fields));
  }

  public RemoteKey remoteKey() {
    var named = new TreeMap<>(fields);
    ProviderType.parse(type).ifPresent(known -> known.inPlaceFields().forEach(named::remove));
    return new RemoteKey(type, named);
  }
}
