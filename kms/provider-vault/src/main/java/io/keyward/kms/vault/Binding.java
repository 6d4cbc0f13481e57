package io.keyward.kms.vault;

import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.Bytes;
import java.util.Map;
import java.util.Optional;

/// How a ciphertext is tied to the identity of its key.
enum Binding {
  /// Vault authenticates the identity together with the DEK.
  ASSOCIATED_DATA("associated-data"),
  /// For key types without associated data (RSA): only the key itself and the check of the key id
  /// before the call tie it.
  KEY_ALONE("key-alone");

  private static final String NAME = "binding.vault.keyward.io";

  private final String word;

  Binding(String word) {
    this.word = word;
  }

  /// Everything in them follows from version and binding, so that a changed one can be told.
  Annotations annotations(int version) {
    return new Annotations(
        Map.of(
            "provider.kms.keyward.io",
            Bytes.utf8(KeyPath.PROVIDER),
            "version.kms.keyward.io",
            Bytes.utf8(Integer.toString(version)),
            NAME,
            Bytes.utf8(word)));
  }

  /// Empty unless these are exactly the annotations that belong to the version.
  static Optional<Binding> of(Annotations annotations, int version) {
    for (Binding binding : values()) {
      if (binding.annotations(version).equals(annotations)) {
        return Optional.of(binding);
      }
    }
    return Optional.empty();
  }
}
