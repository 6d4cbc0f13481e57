package io.keyward.node.program;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.time.Duration;
import java.util.Map;
import org.junit.jupiter.api.Test;

/// Names and labels that dashboards rely on, letter by letter.
final class NodeMetricsTest {
  private final NodeMetrics metrics = new NodeMetrics();

  @Test
  void tellsHowLongPluginsTake() throws IOException {
    metrics.answered("one", "status", Duration.ofMillis(4));
    metrics.answered("one", "status", Duration.ofMillis(400));
    metrics.answered("one", "encrypt", Duration.ofSeconds(20));
    assertThat(text())
        .contains(
            "kms_plugin_request_duration_seconds_count{component=\"one\",operation=\"status\"} 2",
            "kms_plugin_request_duration_seconds_sum{component=\"one\",operation=\"status\"} 0.404",
            "kms_plugin_request_duration_seconds_bucket{component=\"one\",operation=\"status\",le=\"0.005\"} 1",
            "kms_plugin_request_duration_seconds_bucket{component=\"one\",operation=\"status\",le=\"+Inf\"} 2",
            "kms_plugin_request_duration_seconds_bucket{component=\"one\",operation=\"encrypt\",le=\"10.0\"} 0");
  }

  @Test
  void tellsWhichPluginIsUnwell() throws IOException {
    metrics.health("one", Map.of("unix:///run/gone.sock", true));
    metrics.health("one", Map.of("unix:///run/a.sock", true, "unix:///run/b.sock", false));
    metrics.health("two", Map.of("unix:///run/b.sock", true, "unix:///run/c.sock", true));
    assertThat(text())
        .doesNotContain("gone")
        .contains(
            "kms_plugin_status_healthy{component=\"one\",endpoint=\"unix:///run/a.sock\"} 1.0",
            "kms_plugin_status_healthy{component=\"one\",endpoint=\"unix:///run/b.sock\"} 0.0",
            "kms_plugin_status_healthy{component=\"two\",endpoint=\"unix:///run/b.sock\"} 1.0",
            "kms_plugin_status_healthy{component=\"two\",endpoint=\"unix:///run/c.sock\"} 1.0");
  }

  private String text() throws IOException {
    return metrics.metrics();
  }
}
