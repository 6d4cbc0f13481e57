package io.keyward.testkit.sim;

import io.keyward.core.model.KekId;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeyStack;
import io.keyward.core.model.KmsKey;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// A stored value remembers what sealed it. No key is plaintext.
record Value(@Nullable Key sealedBy, String providerName, @Nullable KekId kek) {
  static final Value PLAINTEXT = new Value(null, "", null);

  /// Written while an instance had lost its configuration. If no operator looked in that time, only
  /// an audit of etcd can find it.
  static final Value LEAKED = new Value(null, "leaked", null);

  /// Not the serial alone: the bytes, the provider's name and the remote key must be the same.
  boolean isReadableWith(KeyStack stack) {
    Key key = sealedBy;
    if (key == null) {
      return true;
    }
    Optional<KeyStack.Slot> slot = stack.slot(key.serial());
    return slot.isPresent()
        && slot.get().key().isSame(key)
        && slot.get().providerName().equals(providerName)
        && slot.get()
            .key()
            .kms()
            .flatMap(KmsKey::remoteKey)
            .equals(key.kms().flatMap(KmsKey::remoteKey));
  }
}
