package io.keyward.storage.audit;

import io.keyward.storage.resource.EtcdKey;
import java.util.Map;
import java.util.SortedMap;
import java.util.TreeMap;

/// Counts by resource and seal, and by resource and namespace.
public final class Census {
  /// Book-keeping of Kubernetes and keys outside every prefix have no resource.
  public static final String INTERNAL = "(internal)";

  public static final String FOREIGN = "(other)";

  private final SortedMap<String, SortedMap<Seal, Tally>> seals = new TreeMap<>();
  private final SortedMap<String, SortedMap<String, Tally>> namespaces = new TreeMap<>();

  void add(StoredObject object, Seal seal) {
    String resource = label(object.place());
    seals
        .computeIfAbsent(resource, _ -> new TreeMap<>())
        .computeIfAbsent(seal, _ -> new Tally())
        .add(object);
    namespaces
        .computeIfAbsent(resource, _ -> new TreeMap<>())
        .computeIfAbsent(object.place().namespace(), _ -> new Tally())
        .add(object);
  }

  static String label(EtcdKey place) {
    return switch (place.kind()) {
      case OBJECT -> place.resource().toString();
      case INTERNAL -> INTERNAL;
      case FOREIGN -> FOREIGN;
    };
  }

  /// By resource, then by seal.
  public Map<String, SortedMap<Seal, Tally>> seals() {
    return seals;
  }

  public Map<String, Tally> namespaces(String resource) {
    return namespaces.getOrDefault(resource, new TreeMap<>());
  }

  public long objects(String resource) {
    return seals.getOrDefault(resource, new TreeMap<>()).values().stream()
        .mapToLong(Tally::objects)
        .sum();
  }

  public long objects() {
    return seals.keySet().stream().mapToLong(this::objects).sum();
  }
}
