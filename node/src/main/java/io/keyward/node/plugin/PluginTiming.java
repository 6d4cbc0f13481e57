package io.keyward.node.plugin;

import java.time.Duration;

/// How often a node agent looks at plugins.
///
/// @param probe from one probe of a plugin to the next
/// @param report how often the operator expects reports; an unchanged one is written half as often
public record PluginTiming(Duration probe, Duration report) {}
