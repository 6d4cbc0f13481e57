package io.keyward.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;

/// What a long-running command reports about itself.
public interface Report {
  PrometheusRegistry registry();

  /// Whether the process works. If not, a restart helps.
  default Health live() {
    return Health.GOOD;
  }

  /// Whether the process can be used now.
  default Health ready() {
    return Health.GOOD;
  }

  /// Whether everything that the process depends on works too.
  default Health health() {
    return live();
  }

  /// The metrics in the text format of Prometheus.
  default String metrics() throws IOException {
    var out = new ByteArrayOutputStream();
    PrometheusTextFormatWriter.create().write(out, registry().scrape());
    return out.toString(UTF_8);
  }
}
