package io.keyward.kms.plugin.config;

import java.nio.file.Path;
import java.time.Duration;
import java.util.Collections;
import java.util.SortedMap;
import java.util.TreeMap;

/// How the plugins of an API server are monitored.
///
/// @param file where the results are written
/// @param component which API server it is, for metrics; may be empty
/// @param endpoints of all monitored plugins, by the number of their keys
public record MonitorConfig(
    Path file, Duration interval, String component, SortedMap<String, String> endpoints) {
  public static final Duration DEFAULT_INTERVAL = Duration.ofSeconds(10);

  public MonitorConfig {
    endpoints = Collections.unmodifiableSortedMap(new TreeMap<>(endpoints));
  }
}
