package io.keyward.node;

import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// What a node agent is told.
///
/// @param configFile what the API server's `--encryption-provider-config` names
/// @param restart a command that restarts the API server of this node and may return before it is
///   up
/// @param patience how long the API server may take to become ready
/// @param reportInterval how often plugins are asked for their health
public record NodeSettings(
    String node,
    Path configFile,
    List<String> restart,
    Duration patience,
    Duration reportInterval) {
  public NodeSettings {
    restart = List.copyOf(restart);
  }
}
