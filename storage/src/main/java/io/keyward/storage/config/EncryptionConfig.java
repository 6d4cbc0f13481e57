package io.keyward.storage.config;

import io.keyward.storage.resource.GroupResource;
import java.util.List;

/// A configuration that kube-apiserver would start with, in file order.
public record EncryptionConfig(List<Entry> entries) {
  public EncryptionConfig {
    entries = List.copyOf(entries);
  }

  public record Entry(List<GroupResource> resources, List<Provider> providers) {
    public Entry {
      resources = List.copyOf(resources);
      providers = List.copyOf(providers);
    }
  }

  /// All providers of all entries, in file order.
  public List<Provider> providers() {
    return entries.stream().flatMap(entry -> entry.providers().stream()).toList();
  }
}
