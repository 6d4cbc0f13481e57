package io.keyward.node.program;

import io.keyward.node.plugin.PluginObserver;
import io.keyward.serve.Report;
import io.prometheus.metrics.core.metrics.Gauge;
import io.prometheus.metrics.core.metrics.Histogram;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.TreeMap;

/// The node agent's metrics: what it saw itself when it asked the plugins of its node. The requests
/// of the API server are in the API server's own metrics.
final class NodeMetrics implements PluginObserver, Report {
  private static final String COMPONENT = "component";

  private final Map<String, Map<String, Boolean>> seen = new TreeMap<>();
  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final Histogram durations =
      Histogram.builder()
          .name("kms_plugin_request_duration_seconds")
          .help("How long plugins took to answer the node agent: status, encrypt, decrypt.")
          .labelNames(COMPONENT, "operation")
          .classicOnly()
          .classicUpperBounds(.001, .0025, .005, .01, .025, .05, .1, .25, .5, 1, 3, 10)
          .register(registry);
  private final Gauge healthy =
      Gauge.builder()
          .name("kms_plugin_status_healthy")
          .help("1 if the plugin at this socket was healthy at its last check, otherwise 0.")
          .labelNames(COMPONENT, "endpoint")
          .register(registry);

  private final Gauge credentials =
      Gauge.builder()
          .name("keyward_node_agent_credentials_expiration_timestamp_seconds")
          .help("When the client certificate of the node agent expires, in seconds since 1970.")
          .register(registry);

  void credentialsExpire(Instant time) {
    credentials.set((double) time.getEpochSecond());
  }

  @Override
  public void answered(String apiServer, String operation, Duration took) {
    durations.labelValues(apiServer, operation).observe(took.toNanos() / 1e9);
  }

  @Override
  public synchronized void health(String apiServer, Map<String, Boolean> byEndpoint) {
    Map<String, Boolean> before = seen.put(apiServer, Map.copyOf(byEndpoint));
    if (before != null) {
      before.keySet().forEach(endpoint -> healthy.remove(apiServer, endpoint));
    }
    byEndpoint.forEach(
        (endpoint, good) -> healthy.labelValues(apiServer, endpoint).set(good ? 1 : 0));
  }

  @Override
  public PrometheusRegistry registry() {
    return registry;
  }
}
