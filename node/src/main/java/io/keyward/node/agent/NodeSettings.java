package io.keyward.node.agent;

import io.keyward.node.host.HostKind;
import java.time.Duration;

/// What a node agent is told.
///
/// @param patience how long the API server may take to become ready
/// @param reportInterval how often plugins are asked for their health
public record NodeSettings(
    String node, HostKind place, Duration patience, Duration reportInterval) {}
