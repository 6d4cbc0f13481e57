package io.keyward.core.health;

/// What came back from one Status call to a plugin.
public sealed interface Probe {
  /// The plugin answered, well or not.
  record Answer(String version, String healthz, String keyId) implements Probe {}

  /// The call failed.
  ///
  /// @param error as the caller got it; never with a secret in it
  record Failure(String error) implements Probe {}

  /// The call came back with nothing in it.
  record Nothing() implements Probe {}
}
