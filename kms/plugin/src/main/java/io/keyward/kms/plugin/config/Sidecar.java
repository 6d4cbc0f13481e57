package io.keyward.kms.plugin.config;

import java.util.Map;
import java.util.Optional;

/// What is different for a plugin in the pod of an API server, whose keys are those of a revision.
/// A key that cannot be served is left out there: the others may protect data that exists.
///
/// @param leftOut keys that cannot be served, by name, with the reason
public record Sidecar(Map<String, String> leftOut, Optional<MonitorConfig> monitor) {
  public Sidecar {
    leftOut = Map.copyOf(leftOut);
  }
}
