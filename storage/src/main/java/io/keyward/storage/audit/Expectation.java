package io.keyward.storage.audit;

import io.keyward.storage.resource.EtcdKey;
import io.keyward.storage.resource.GroupResource;
import java.util.Optional;
import java.util.Set;

/// What the auditor wants to be true. `present` are resources of which at least one object must be
/// seen: a misspelt name would otherwise be proven encrypted.
public record Expectation(
    Set<GroupResource> encrypted,
    Set<GroupResource> present,
    Optional<String> key,
    Set<String> unusedKeys,
    Set<String> unusedKeks) {
  public Expectation {
    encrypted = Set.copyOf(encrypted);
    present = Set.copyOf(present);
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
