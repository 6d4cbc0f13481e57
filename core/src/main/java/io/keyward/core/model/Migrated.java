package io.keyward.core.model;

import java.time.Instant;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;

/// Which resources were rewritten under a key: everything stored of them is under it or a newer
/// one.
///
/// `keks` says for KMS keys which version of the remote key it was, where that is known for sure.
public record Migrated(
    SortedSet<Resource> resources, Optional<Instant> at, SortedMap<Resource, KekId> keks) {
  public static final Migrated NOTHING =
      new Migrated(new TreeSet<>(), Optional.empty(), new TreeMap<>());

  public Migrated {
    resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    keks = Collections.unmodifiableSortedMap(new TreeMap<>(keks));
  }

  public Migrated with(Resource resource, Optional<KekId> kek, Instant now) {
    var marked = new TreeSet<>(resources);
    boolean isNew = marked.add(resource);
    var ids = new TreeMap<>(keks);
    ids.remove(resource);
    kek.ifPresent(id -> ids.put(resource, id));
    return new Migrated(marked, isNew ? Optional.of(now) : at.or(() -> Optional.of(now)), ids);
  }

  public Migrated without(Resource resource) {
    var marked = new TreeSet<>(resources);
    marked.remove(resource);
    return new Migrated(marked, at, withoutKek(resource).keks);
  }

  public Migrated withoutKek(Resource resource) {
    var ids = new TreeMap<>(keks);
    ids.remove(resource);
    return new Migrated(resources, at, ids);
  }
}
