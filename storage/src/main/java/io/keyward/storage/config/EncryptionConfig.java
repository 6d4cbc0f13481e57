package io.keyward.storage.config;

import io.keyward.storage.resource.GroupResource;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

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

  /// What an API server with this configuration writes encrypted. An earlier entry decides who
  /// writes.
  public Set<GroupResource> encryptedResources() {
    var seen = new LinkedHashSet<GroupResource>();
    var sealed = new LinkedHashSet<GroupResource>();
    for (Entry entry : entries) {
      boolean plain = entry.providers().getFirst() instanceof Provider.Identity;
      for (GroupResource resource : entry.resources()) {
        if (seen.add(resource) && !plain) {
          sealed.add(resource);
        }
      }
    }
    return sealed;
  }
}
