package io.keyward.cli.operator;

import io.keyward.core.model.HealthReport;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.ObservedState;
import io.keyward.kube.MigrationProgress;
import io.keyward.operator.TurnObserver;
import io.prometheus.metrics.core.metrics.Counter;
import io.prometheus.metrics.core.metrics.GaugeWithCallback;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/// The operator's metrics. Labels are names from the configuration and fixed words, so there are
/// never many.
final class OperatorMetrics implements TurnObserver, MetricsServer.Source {
  /// A turn that lasts longer than this will not end; a restart helps.
  private static final Duration LONGEST_TURN = Duration.ofMinutes(10);

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final InstantSource clock;
  private final Map<String, ObservedState> states = new ConcurrentSkipListMap<>();
  private final LongSupplier nanos;

  /// By a clock that nobody can set: a restart helps nobody whose wall clock was set forward.
  private final Map<String, Long> lastTurns = new ConcurrentHashMap<>();

  private final Counter turns;
  private final Counter failures;

  OperatorMetrics(
      InstantSource clock,
      LongSupplier nanos,
      Supplier<Map<String, MigrationProgress>> migrations) {
    this.clock = clock;
    this.nanos = nanos;
    turns =
        Counter.builder()
            .name("keyward_operator_turns")
            .help("Turns taken; outcome is done or failed.")
            .labelNames("component", "outcome")
            .register(registry);
    failures =
        Counter.builder()
            .name("keyward_operator_failures")
            .help("Parts of turns that could not be carried out.")
            .labelNames("component", "part")
            .register(registry);
    GaugeWithCallback.builder()
        .name("kms_plugin_status_healthy")
        .help("1 while every node that lately reported on this socket saw a healthy plugin.")
        .labelNames("endpoint")
        .callback(to -> plugins().forEach((endpoint, good) -> to.call(good ? 1 : 0, endpoint)))
        .register(registry);
    migration("objects_done", "Objects rewritten so far.", migrations, MigrationProgress::done);
    migration(
        "objects", "Objects there are, as far as is known.", migrations, MigrationProgress::total);
    migration(
        "seconds_left",
        "How long it will still take at the present rate.",
        migrations,
        progress -> progress.secondsLeft().orElse(0));
  }

  private void migration(
      String name,
      String help,
      Supplier<Map<String, MigrationProgress>> all,
      ToDoubleFunction<MigrationProgress> number) {
    GaugeWithCallback.builder()
        .name("keyward_migration_" + name)
        .help(help)
        .labelNames("resource")
        .callback(to ->
            new TreeMap<>(all.get())
                .forEach((resource, progress) -> to.call(number.applyAsDouble(progress), resource)))
        .register(registry);
  }

  private Map<String, Boolean> plugins() {
    var healthy = new TreeMap<String, Boolean>();
    for (ObservedState state : states.values()) {
      var endpoints = new TreeMap<KeySerial, String>();
      for (Key key : state.stored().secrets()) {
        key.kms().ifPresent(kms -> endpoints.put(key.serial(), kms.endpoint().endpoint()));
      }
      Instant oldest = clock.instant().minus(state.settings().reportHolds());
      for (HealthReport report : state.activity().reports()) {
        Optional.ofNullable(endpoints.get(report.serial()))
            .filter(_ -> report.lastChecked().isAfter(oldest))
            .ifPresent(endpoint ->
                healthy.merge(
                    endpoint, report.status() == HealthReport.Status.HEALTHY, Boolean::logicalAnd));
      }
    }
    return healthy;
  }

  @Override
  public void turned(String component, ObservedState seen, Set<String> failed) {
    states.put(component, seen);
    lastTurns.put(component, nanos.getAsLong());
    turns.labelValues(component, "done").inc();
    failed.forEach(part -> failures.labelValues(component, part).inc());
  }

  @Override
  public void noTurn(String component) {
    lastTurns.put(component, nanos.getAsLong());
    turns.labelValues(component, "failed").inc();
  }

  /// Another one leads: what was seen is not told any more.
  void rest() {
    states.clear();
    lastTurns.clear();
  }

  /// An API server whose turns stopped. One that waits for the lead has none, and is well.
  @Override
  public Optional<String> problem() {
    long now = nanos.getAsLong();
    return lastTurns.entrySet().stream()
        .filter(entry -> now - entry.getValue() > LONGEST_TURN.toNanos())
        .map(Map.Entry::getKey)
        .sorted()
        .findFirst()
        .map(one -> "no turn of " + one + " ends");
  }

  @Override
  public PrometheusRegistry registry() {
    return registry;
  }
}
