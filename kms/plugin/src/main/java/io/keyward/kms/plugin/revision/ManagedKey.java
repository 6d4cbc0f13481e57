package io.keyward.kms.plugin.revision;

import java.util.Map;

/// A key of a revision, as a configuration file of the plugin would describe it.
///
/// @param serial its number, which is its name in metrics and logs
/// @param settings of the provider
public record ManagedKey(
    String serial, String socket, String provider, Map<String, String> settings) {
  public ManagedKey {
    settings = Map.copyOf(settings);
  }

  /// Settings may contain what a Secret contains.
  @Override
  public String toString() {
    return "ManagedKey[" + serial + ", " + socket + ", " + provider + "]";
  }
}
