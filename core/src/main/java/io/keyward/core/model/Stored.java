package io.keyward.core.model;

import io.keyward.core.model.key.DamagedSecret;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.KeyReferences;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What the managed namespace holds: key secrets, and the configuration that was last written.
///
/// @param published absent where it does not exist or cannot be read
/// @param references by the numbers of the KMS keys whose own configuration refers to objects
public record Stored(
    List<Key> secrets,
    List<DamagedSecret> damaged,
    Optional<EncryptionLayout> published,
    SortedMap<KeySerial, KeyReferences> references) {
  public static final Stored NOTHING = new Stored(List.of(), List.of(), Optional.empty());

  /// Without references.
  public Stored(
      List<Key> secrets, List<DamagedSecret> damaged, Optional<EncryptionLayout> published) {
    this(secrets, damaged, published, Collections.emptySortedMap());
  }

  public Stored {
    secrets = List.copyOf(secrets);
    damaged = List.copyOf(damaged);
    references = Collections.unmodifiableSortedMap(new TreeMap<>(references));
  }
}
