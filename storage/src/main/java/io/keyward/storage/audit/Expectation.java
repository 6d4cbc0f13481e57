package io.keyward.storage.audit;

import io.keyward.storage.resource.EtcdKey;
import io.keyward.storage.resource.GroupResource;
import java.util.Optional;
import java.util.Set;

/// What the auditor wants to be true.
public record Expectation(
    Set<GroupResource> encrypted,
    Optional<String> key,
    Set<String> unusedKeys,
    Set<String> unusedKeks) {
  public Expectation {
    encrypted = Set.copyOf(encrypted);
    unusedKeys = Set.copyOf(unusedKeys);
    unusedKeks = Set.copyOf(unusedKeks);
  }

  /// Exact names, `*.group` and `*.*`, as in a configuration.
  public boolean wantsEncrypted(EtcdKey place) {
    return place.isObject() && wantsEncrypted(place.resource());
  }

  boolean wantsEncrypted(GroupResource resource) {
    return encrypted.contains(resource)
        || encrypted.contains(resource.anyInGroup())
        || encrypted.contains(GroupResource.anyInAnyGroup());
  }
}
