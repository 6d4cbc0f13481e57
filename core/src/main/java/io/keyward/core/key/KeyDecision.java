package io.keyward.core.key;

import io.keyward.core.model.Blocker;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KmsKey;
import java.util.List;
import java.util.Optional;

/// What happens to key secrets next.
public sealed interface KeyDecision {
  /// Encryption was never on and is not wanted.
  record Idle() implements KeyDecision {}

  /// The newest key is what the admin asks for.
  record Keep() implements KeyDecision {}

  record Wait(Blocker blocker, String on) implements KeyDecision {}

  /// Write the secrets of keys in use again: they are lost, damaged or contradict what runs.
  record Restore(List<Key> keys) implements KeyDecision {}

  /// Create a key secret. Its bytes are made by whoever carries this out.
  record Mint(
      KeySerial serial,
      Mode mode,
      Optional<KmsKey> kms,
      String internalReason,
      String externalReason)
      implements KeyDecision {
    /// The key of the secret, with the bytes that were made for it.
    public Key key(KeyMaterial material) {
      // Only a KMS can keep instances from starting, so only its keys are ever taken back.
      KeyStage stage = mode == Mode.KMS ? KeyStage.READ_ONLY : KeyStage.WRITE;
      return new Key(
          serial,
          mode,
          material,
          true,
          kms,
          Migrated.NOTHING,
          internalReason,
          externalReason,
          stage);
    }
  }

  /// Change KMS configuration or credentials of existing keys. No new key, no migration.
  record Refresh(List<Key> keys) implements KeyDecision {}

  /// Its rollout fails, nothing was written with it, and it is no longer asked for.
  ///
  /// @param key as its secret is to be
  record Retract(Key key) implements KeyDecision {}

  /// Only an admin, or a KMS that comes back, can help.
  record Refuse(String reason, String detail) implements KeyDecision {}
}
