package io.keyward.kms.plugin.config;

import io.keyward.serve.ListenSettings;
import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// Everything a plugin process is told at start.
///
/// @param sidecar empty for a plugin with a configuration file or the flags of a key
public record PluginConfig(
    List<KeyConfig> keys,
    Timing timing,
    Reporting reporting,
    boolean kmsV1,
    Optional<Sidecar> sidecar) {
  public PluginConfig {
    keys = List.copyOf(keys);
  }

  /// Of a plugin that is no sidecar.
  public PluginConfig(List<KeyConfig> keys, Timing timing, Reporting reporting, boolean kmsV1) {
    this(keys, timing, reporting, kmsV1, Optional.empty());
  }

  /// The same plugin as a sidecar.
  public PluginConfig with(Sidecar pod) {
    return new PluginConfig(keys, timing, reporting, kmsV1, Optional.of(pod));
  }

  /// The same plugin with other keys.
  public PluginConfig with(List<KeyConfig> others) {
    return new PluginConfig(others, timing, reporting, kmsV1, sidecar);
  }

  /// How long things may take.
  ///
  /// @param callBudget the longest a call may take; shorter than the API server's own time-out (3 s
  ///   unless its configuration says otherwise), so that it gets our words and not its own
  /// @param probeInterval how often each key is tried, and so how old Status can be
  /// @param drain how long calls in progress may go on after SIGTERM
  /// @param reportInterval how often each KMS is asked what it knows about its key
  public record Timing(
      Duration callBudget, Duration probeInterval, Duration drain, Duration reportInterval) {
    private static final Duration REPORTS = Duration.ofMinutes(5);

    public static final Timing DEFAULT =
        new Timing(Duration.ofMillis(2500), Duration.ofSeconds(10), Duration.ofSeconds(5));

    /// With the usual interval of reports.
    public Timing(Duration callBudget, Duration probeInterval, Duration drain) {
      this(callBudget, probeInterval, drain, REPORTS);
    }
  }

  /// How the plugin tells about itself.
  ///
  /// @param listen where health and metrics are served; empty means nowhere
  public record Reporting(Optional<ListenSettings> listen, LogFormat logFormat) {
    public static final Reporting DEFAULT = new Reporting(Optional.empty(), LogFormat.TEXT);
  }

  /// How log lines are written.
  public enum LogFormat {
    TEXT,
    JSON
  }
}
