package io.keyward.core.model.key;

import io.keyward.core.model.Resource;
import io.keyward.core.model.kms.KekId;
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
/// @param keks for KMS keys, which version of the remote key it was, where that is known for sure
/// @param kekSince when the last instance had come to that version; a change after it makes the
///   record of the version untrue
public record Migrated(
    SortedSet<Resource> resources,
    Optional<Instant> at,
    SortedMap<Resource, KekId> keks,
    SortedMap<Resource, Instant> kekSince,
    Reencryption reencryption) {
  public static final Migrated NOTHING =
      new Migrated(new TreeSet<>(), Optional.empty(), new TreeMap<>());

  public Migrated {
    resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    keks = Collections.unmodifiableSortedMap(new TreeMap<>(keks));
    kekSince = Collections.unmodifiableSortedMap(new TreeMap<>(kekSince));
  }

  public Migrated(
      SortedSet<Resource> resources, Optional<Instant> at, SortedMap<Resource, KekId> keks) {
    this(resources, at, keks, new TreeMap<>(), Reencryption.NONE);
  }

  /// The same record after a request to re-encrypt was taken up: which version of the remote key
  /// anything is stored under counts as unknown.
  public Migrated reencrypting(String request) {
    return new Migrated(
        resources, at, new TreeMap<>(), new TreeMap<>(), reencryption.serving(request));
  }

  public Migrated with(Resource resource, Optional<KekId> kek, Instant now) {
    return with(resource, kek, Optional.empty(), now);
  }

  public Migrated with(
      Resource resource, Optional<KekId> kek, Optional<Instant> since, Instant now) {
    Migrated plain = withoutKek(resource);
    var marked = new TreeSet<>(resources);
    boolean isNew = marked.add(resource);
    var ids = new TreeMap<>(plain.keks);
    kek.ifPresent(id -> ids.put(resource, id));
    var times = new TreeMap<>(plain.kekSince);
    kek.flatMap(_ -> since).ifPresent(time -> times.put(resource, time));
    Optional<Instant> last = isNew ? Optional.of(now) : at.or(() -> Optional.of(now));
    return new Migrated(marked, last, ids, times, reencryption);
  }

  public Migrated without(Resource resource) {
    var marked = new TreeSet<>(resources);
    marked.remove(resource);
    Migrated plain = withoutKek(resource);
    return new Migrated(marked, at, plain.keks, plain.kekSince, reencryption);
  }

  public Migrated withoutKek(Resource resource) {
    var ids = new TreeMap<>(keks);
    ids.remove(resource);
    var times = new TreeMap<>(kekSince);
    times.remove(resource);
    return new Migrated(resources, at, ids, times, reencryption);
  }

  public Optional<KekId> kek(Resource resource) {
    return Optional.ofNullable(keks.get(resource));
  }

  public Optional<Instant> kekSince(Resource resource) {
    return Optional.ofNullable(kekSince.get(resource));
  }
}
