package io.keyward.kms.plugin;

import io.keyward.kms.plugin.config.MonitorConfig;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.plugin.monitor.OwnKeys;
import io.keyward.kms.plugin.monitor.PluginMonitor;
import io.keyward.kms.plugin.report.PluginMetrics;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Clock;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.Supplier;

/// What a plugin knows about its keys: those that it serves, and those that it leaves out.
final class KeyWatches {
  private final PluginMetrics metrics;
  private final Map<String, KeyWatch> all = new TreeMap<>();
  private final Map<String, Supplier<List<String>>> warnings = new TreeMap<>();
  private final Map<String, String> leftOut = new TreeMap<>();

  KeyWatches(PluginMetrics metrics) {
    this.metrics = metrics;
  }

  /// Of a key that is served.
  KeyWatch of(String key) {
    KeyWatch watch = watch(key);
    warnings.put(key, () -> watch.facts().risks());
    return watch;
  }

  /// Not served, and not healthy for as long as this process runs: in the log, the metrics and
  /// `/healthz`.
  void leaveOut(String key, String reason) {
    leftOut.put(key, reason);
    KeyWatch watch = watch(key);
    var _ = metrics.key(key, watch);
    watch.failed(
        watch.begin(),
        new KmsException(Kind.INTERNAL, "the plugin cannot serve it", Map.of("reason", reason)));
  }

  private KeyWatch watch(String key) {
    var watch = new KeyWatch(key, Clock.systemUTC());
    all.put(key, watch);
    return watch;
  }

  Map<String, KeyWatch> all() {
    return Collections.unmodifiableMap(all);
  }

  /// A monitor that also tells what is known here.
  PluginMonitor monitor(MonitorConfig settings) {
    return PluginMonitor.of(settings, new OwnKeys(warnings, leftOut), metrics.registry());
  }
}
