package io.keyward.kms.vault;

import io.keyward.kms.spi.Annotations;
import io.keyward.kms.spi.KekId;

/// What is stored beside a DEK that one version of the key has wrapped. Digests and checked names:
/// worth keeping from one wrap to the next.
record TransitKeyVersion(int number, Binding binding, KekId id, Annotations annotations) {
  static TransitKeyVersion of(KeyPath path, int number, Binding binding) {
    return new TransitKeyVersion(
        number, binding, path.version(number), binding.annotations(number));
  }
}
