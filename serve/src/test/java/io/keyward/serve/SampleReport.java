package io.keyward.serve;

import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.util.Optional;

/// A report whose health a test sets.
final class SampleReport implements Report {
  private final PrometheusRegistry registry = new PrometheusRegistry();
  volatile Optional<String> problem = Optional.empty();
  volatile boolean ready = true;

  SampleReport() {
    Counter.builder().name("sample").help("For tests.").register(registry).inc();
  }

  @Override
  public PrometheusRegistry registry() {
    return registry;
  }

  @Override
  public Health ready() {
    return ready ? Health.GOOD : new Health(false, "not yet");
  }

  @Override
  public Health health() {
    return Health.of(problem);
  }
}
