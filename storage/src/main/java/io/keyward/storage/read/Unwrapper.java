package io.keyward.storage.read;

import io.keyward.etcd.bytes.ByteView;
import java.util.Optional;

/// The way to the KMS plugins. Implementations answer failures as values; they may be slow.
public interface Unwrapper {
  Unwrapped unwrap(WrappedDek wrapped);

  /// What the plugin's Status reports, for KMS v2. Empty where it cannot be asked.
  Optional<String> currentKeyId(String provider);

  sealed interface Unwrapped {
    /// The DEK or seed. Prints as a length.
    record Dek(ByteView bytes) implements Unwrapped {}

    /// `reason` is for people and never holds a secret.
    record Failed(String reason) implements Unwrapped {}
  }

  /// No KMS at hand: values sealed by one cannot be opened.
  static Unwrapper none() {
    return new Unwrapper() {
      @Override
      public Unwrapped unwrap(WrappedDek wrapped) {
        return new Unwrapped.Failed("no KMS was given");
      }

      @Override
      public Optional<String> currentKeyId(String provider) {
        return Optional.empty();
      }
    };
  }
}
