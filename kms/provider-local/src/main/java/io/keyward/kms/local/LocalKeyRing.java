package io.keyward.kms.local;

import io.keyward.kms.spi.KekId;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// All versions of one key, as last read from the file.
record LocalKeyRing(List<KeyVersion> versions, Map<KekId, KeyVersion> byId) {
  static LocalKeyRing of(List<KeyVersion> versions) {
    var byId = new HashMap<KekId, KeyVersion>();
    versions.forEach(version -> byId.put(version.id(), version));
    return new LocalKeyRing(List.copyOf(versions), Map.copyOf(byId));
  }

  KeyVersion newest() {
    return versions.getLast();
  }

  Optional<KeyVersion> version(KekId id) {
    return Optional.ofNullable(byId.get(id));
  }

  /// Whether everything that `earlier` could open can still be opened, and nothing went backwards.
  boolean continues(LocalKeyRing earlier) {
    return byId.keySet().containsAll(earlier.byId().keySet());
  }
}
