package io.keyward.testkit.sim.node;

/// The configuration file of one revision.
///
/// @param digest equal for equal contents
/// @param content of an API server that has read it
public record ConfigFile<C>(int revision, String digest, C content) {
  /// Somebody edits it. The API server understands it as before.
  ConfigFile<C> edited() {
    return new ConfigFile<>(revision, digest + " edited", content);
  }
}
