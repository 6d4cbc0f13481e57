package io.keyward.kms.plugin.monitor;

import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.model.registry.PrometheusRegistry;

/// The same series that a node agent exports for the plugins of a user.
final class MonitorMetrics {
  private final String component;
  private final Gauge healthy;

  MonitorMetrics(String component, PrometheusRegistry registry) {
    this.component = component;
    healthy =
        Gauge.builder()
            .name("kms_plugin_status_healthy")
            .help("1 if the plugin at this socket was healthy at its last check, otherwise 0.")
            .labelNames("component", "endpoint")
            .register(registry);
  }

  void show(MonitorReport report) {
    report
        .entries()
        .forEach(one ->
            healthy.labelValues(component, one.endpoint()).set(one.outcome().isHealthy() ? 1 : 0));
  }
}
