package io.keyward.storage.audit;

import io.keyward.storage.resource.EtcdKey;
import io.keyward.storage.resource.GroupResource;
import java.util.HashMap;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Counts by resource and seal, and by resource and namespace.
public final class Census {
  /// Book-keeping of Kubernetes and keys outside every prefix have no resource.
  public static final String INTERNAL = "(internal)";

  public static final String FOREIGN = "(other)";

  private final Map<String, Map<Seal, Tally>> seals = new HashMap<>();
  private final Map<String, Map<String, Tally>> namespaces = new HashMap<>();

  /// Where values of a resource under a seal are counted.
  Tally tally(EtcdKey place, Seal seal) {
    return seals
        .computeIfAbsent(label(place), _ -> new HashMap<>())
        .computeIfAbsent(seal, _ -> new Tally());
  }

  /// Where values of a resource in a namespace are counted; without DEKs.
  Tally namespace(EtcdKey place) {
    return namespaces
        .computeIfAbsent(label(place), _ -> new HashMap<>())
        .computeIfAbsent(place.namespace(), _ -> new Tally());
  }

  static String label(EtcdKey place) {
    return switch (place.kind()) {
      case OBJECT -> place.resource().toString();
      case INTERNAL -> INTERNAL;
      case FOREIGN -> FOREIGN;
    };
  }

  /// By resource, then by seal.
  public SortedMap<String, SortedMap<Seal, Tally>> seals() {
    var sorted = new TreeMap<String, SortedMap<Seal, Tally>>();
    seals.forEach((resource, tallies) -> sorted.put(resource, new TreeMap<>(tallies)));
    return sorted;
  }

  public SortedMap<String, Tally> namespaces(String resource) {
    return new TreeMap<>(namespaces.getOrDefault(resource, Map.of()));
  }

  /// Whether any object of this resource was seen; `*.group` and `*.*` stand for several.
  boolean has(GroupResource wanted) {
    return seals.keySet().stream()
        .filter(label -> !label.equals(INTERNAL) && !label.equals(FOREIGN))
        .map(GroupResource::parse)
        .anyMatch(seen ->
            wanted.equals(seen)
                || wanted.equals(seen.anyInGroup())
                || wanted.equals(GroupResource.anyInAnyGroup()));
  }

  public long objects(String resource) {
    return seals.getOrDefault(resource, Map.of()).values().stream().mapToLong(Tally::objects).sum();
  }

  public long objects() {
    return seals.keySet().stream().mapToLong(this::objects).sum();
  }
}
