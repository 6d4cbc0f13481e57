package io.keyward.kms.plugin.revision;

import java.util.Optional;

/// The socket of a KMS key in a revision, whoever serves it.
///
/// @param serial the number of the key
/// @param endpoint as in the configuration of the API server
/// @param type of the KMS; empty if it cannot be read
/// @param kmsHost of the address of the KMS, if the administrator set one
public record RevisionSocket(
    String serial, String endpoint, String type, Optional<String> kmsHost) {
  static final String EXTERNAL = "External";

  /// Whether the user runs the plugin, outside of the pod.
  public boolean isExternal() {
    return type.equals(EXTERNAL);
  }
}
