package io.keyward.core.model.key;

/// How far a key came. It only goes on from here: what may have written is never taken back.
///
/// Both ways out of [#READ_ONLY] change the same secret, so only one of them can happen.
public enum KeyStage {
  /// Instances may learn to read it. None was ever told to write with it.
  READ_ONLY,

  /// Data may depend on it. What is not known to be otherwise is this.
  WRITE,

  /// Taken back before anything could be written with it. It leaves every configuration.
  RETRACTED
}
