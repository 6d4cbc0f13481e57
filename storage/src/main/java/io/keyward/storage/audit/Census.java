package io.keyward.storage.audit;

import io.keyward.storage.resource.EtcdKey;
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

  void add(StoredObject object, Seal seal) {
    String resource = label(object.place());
    seals
        .computeIfAbsent(resource, _ -> new HashMap<>())
        .computeIfAbsent(seal, _ -> new Tally())
        .add(object);
    namespaces
        .computeIfAbsent(resource, _ -> new HashMap<>())
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
  public SortedMap<String, SortedMap<Seal, Tally>> seals() {
    var sorted = new TreeMap<String, SortedMap<Seal, Tally>>();
    seals.forEach((resource, tallies) -> sorted.put(resource, new TreeMap<>(tallies)));
    return sorted;
  }

  public SortedMap<String, Tally> namespaces(String resource) {
    return new TreeMap<>(namespaces.getOrDefault(resource, Map.of()));
  }

  public long objects(String resource) {
    return seals.getOrDefault(resource, Map.of()).values().stream().mapToLong(Tally::objects).sum();
  }

  public long objects() {
    return seals.keySet().stream().mapToLong(this::objects).sum();
  }
}
