package io.keyward.core.model.kms;

/// What the Secrets and ConfigMaps hold now that the configuration of one key refers to.
public sealed interface KeyReferences {
  /// All of them are there.
  ///
  /// @param config stands for the configuration of the key with these contents
  record Contents(ReferenceData secrets, ReferenceData configMaps, Fingerprint config)
      implements KeyReferences {}

  /// One of them is missing, or lacks a data key.
  record Missing(String problem) implements KeyReferences {}
}
