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

  /// The image with a plugin of another make.
  private static final String IMAGE = "kmsPluginImage";

  /// A plugin of another make stores something else with the same key of the KMS, and cannot read
  /// what Keyward's plugin stored. A newer version of the same plugin can.
  public RemoteKey remoteKey() {
    var named = new TreeMap<>(fields);
    ProviderType.parse(type).ifPresent(known -> known.inPlaceFields().forEach(named::remove));
    if (fields.containsKey(IMAGE)) {
      named.put(IMAGE, "present");
    }
    return new RemoteKey(type, named);
  }
}
