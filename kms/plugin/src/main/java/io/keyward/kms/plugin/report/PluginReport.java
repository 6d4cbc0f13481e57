package io.keyward.kms.plugin.report;

import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.serve.Health;
import io.keyward.serve.Report;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Map;
import java.util.Optional;
import java.util.StringJoiner;
import java.util.TreeMap;
import java.util.function.BooleanSupplier;

/// What a plugin reports about itself and its keys.
public final class PluginReport implements Report {
  private final BooleanSupplier alive;
  private final BooleanSupplier open;
  private final Map<String, KeyWatch> keys;
  private final Runnable refreshHealth;
  private final PluginMetrics metrics;

  /// @param alive whether the event loop still turns; if not, a restart helps
  /// @param open whether all sockets are open
  /// @param refreshHealth tries the keys for which that costs nothing
  public PluginReport(
      BooleanSupplier alive,
      BooleanSupplier open,
      Map<String, KeyWatch> keys,
      Runnable refreshHealth,
      PluginMetrics metrics) {
    this.alive = alive;
    this.open = open;
    this.keys = new TreeMap<>(keys);
    this.refreshHealth = refreshHealth;
    this.metrics = metrics;
  }

  @Override
  public PrometheusRegistry registry() {
    return metrics.registry();
  }

  @Override
  public Health live() {
    return alive.getAsBoolean() ? Health.GOOD : new Health(false, "the event loop does not turn");
  }

  @Override
  public Health ready() {
    return open.getAsBoolean() ? Health.GOOD : new Health(false, "the sockets are not open");
  }

  /// One line per key, and one per early warning.
  @Override
  public Health health() {
    refreshHealth.run();
    boolean good = true;
    var lines = new StringJoiner("\n");
    for (var key : keys.entrySet()) {
      KeyWatch watch = key.getValue();
      Optional<String> problem = watch.problem();
      good &= problem.isEmpty();
      lines.add(key.getKey() + ": " + problem.orElse("ok"));
      watch
          .facts()
          .warnings()
          .forEach(warning -> lines.add(key.getKey() + ": warning: " + warning));
    }
    return new Health(good, lines.toString());
  }
}
