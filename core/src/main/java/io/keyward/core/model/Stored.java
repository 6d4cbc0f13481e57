package io.keyward.core.model;

import io.keyward.core.model.key.DamagedSecret;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import java.util.List;
import java.util.Optional;

/// What the managed namespace holds: key secrets, and the configuration that was last written.
///
/// @param published absent where it does not exist or cannot be read
public record Stored(
    List<Key> secrets, List<DamagedSecret> damaged, Optional<EncryptionLayout> published) {
  public static final Stored NOTHING = new Stored(List.of(), List.of(), Optional.empty());

  public Stored {
    secrets = List.copyOf(secrets);
    damaged = List.copyOf(damaged);
  }
}
