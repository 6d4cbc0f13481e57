package io.keyward.node.agent;

import io.keyward.node.host.HostKind;
import io.keyward.node.plugin.PluginTiming;
import java.time.Duration;

/// What a node agent is told.
///
/// @param patience how long the API server may take to become ready
/// @param timing how often plugins are probed
public record NodeSettings(String node, HostKind place, Duration patience, PluginTiming timing) {}
