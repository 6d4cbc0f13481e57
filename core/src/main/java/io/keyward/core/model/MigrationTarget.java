package io.keyward.core.model;

import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.KekId;
import java.util.Optional;

/// What a storage migration rewrites to: a write key and, where it is sure, the version of its
/// remote key. The write key is text because that is what the migration's annotation holds.
public record MigrationTarget(String writeKey, Optional<KekId> kek) {
  private static final String PLAINTEXT = "identity";

  public static MigrationTarget under(KeySerial writeKey, Optional<KekId> kek) {
    return new MigrationTarget(writeKey.toString(), kek);
  }

  /// For a resource that is no longer to be encrypted.
  public static MigrationTarget plaintext() {
    return new MigrationTarget(PLAINTEXT, Optional.empty());
  }

  @Override
  public String toString() {
    return writeKey + kek.map(id -> "@" + id).orElse("");
  }
}
