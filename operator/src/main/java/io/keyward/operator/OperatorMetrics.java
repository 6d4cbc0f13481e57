package io.keyward.operator;

import io.keyward.codec.migration.MigrationProgress;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.view.SiteView;
import io.keyward.engine.SiteId;
import io.keyward.engine.TurnObserver;
import io.keyward.kube.migrate.Migrator;
import io.keyward.serve.Health;
import io.keyward.serve.Report;
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
import java.util.function.LongSupplier;
import java.util.function.Supplier;
import java.util.function.ToDoubleFunction;

/// The operator's metrics. Labels are names from the configuration and fixed words, so there are
/// never many.
final class OperatorMetrics implements TurnObserver, Report {
  /// A turn that lasts longer than this will not end; a restart helps.
  private static final Duration LONGEST_TURN = Duration.ofMinutes(10);

  private final PrometheusRegistry registry = new PrometheusRegistry();
  private final InstantSource clock;
  private final Map<SiteId, SiteView> sites = new ConcurrentHashMap<>();
  private final LongSupplier nanos;

  /// By a clock that nobody can set: a restart helps nobody whose wall clock was set forward.
  private final Map<SiteId, Long> lastTurns = new ConcurrentHashMap<>();

  private final Counter turns;
  private final Counter failures;

  OperatorMetrics(
      InstantSource clock,
      LongSupplier nanos,
      Supplier<Map<Migrator.Work, MigrationProgress>> migrations) {
    this.clock = clock;
    this.nanos = nanos;
    turns =
        Counter.builder()
            .name("keyward_operator_turns")
            .help("Turns taken; outcome is done or failed.")
            .labelNames("cluster", "component", "outcome")
            .register(registry);
    failures =
        Counter.builder()
            .name("keyward_operator_failures")
            .help("Parts of turns that could not be carried out.")
            .labelNames("cluster", "component", "part")
            .register(registry);
    GaugeWithCallback.builder()
        .name("kms_plugin_status_healthy")
        .help("1 while every node that lately reported on this socket saw a healthy plugin.")
        .labelNames("cluster", "component", "endpoint")
        .callback(to ->
            sites.forEach((site, seen) ->
                plugins(seen)
                    .forEach((endpoint, good) ->
                        to.call(good ? 1 : 0, site.cluster(), site.apiServer(), endpoint))))
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
      Supplier<Map<Migrator.Work, MigrationProgress>> all,
      ToDoubleFunction<MigrationProgress> number) {
    GaugeWithCallback.builder()
        .name("keyward_migration_" + name)
        .help(help)
        .labelNames("cluster", "component", "resource")
        .callback(to ->
            all.get()
                .forEach((work, progress) ->
                    to.call(
                        number.applyAsDouble(progress),
                        work.site().cluster(),
                        work.site().apiServer(),
                        work.resource().canonical())))
        .register(registry);
  }

  private Map<String, Boolean> plugins(SiteView site) {
    var healthy = new TreeMap<String, Boolean>();
    var endpoints = new TreeMap<KeySerial, String>();
    site.keys()
        .forEach(key -> key.plugin().ifPresent(one -> endpoints.put(key.serial(), one.endpoint())));
    Instant oldest = clock.instant().minus(site.reportHolds());
    for (HealthReport report : site.reports()) {
      Optional.ofNullable(endpoints.get(report.serial()))
          .filter(_ -> report.lastChecked().isAfter(oldest))
          .ifPresent(endpoint ->
              healthy.merge(
                  endpoint, report.status() == HealthReport.Status.HEALTHY, Boolean::logicalAnd));
    }
    return healthy;
  }

  @Override
  public void turned(SiteId site, SiteView seen, Set<String> failed) {
    sites.put(site, seen);
    lastTurns.put(site, nanos.getAsLong());
    turns.labelValues(site.cluster(), site.apiServer(), "done").inc();
    failed.forEach(part -> failures.labelValues(site.cluster(), site.apiServer(), part).inc());
  }

  @Override
  public void noTurn(SiteId site) {
    lastTurns.put(site, nanos.getAsLong());
    turns.labelValues(site.cluster(), site.apiServer(), "failed").inc();
  }

  /// What was seen of a site that is gone is not published any more.
  @Override
  public void removed(SiteId site) {
    sites.remove(site);
    lastTurns.remove(site);
  }

  /// An API server whose turns stopped. One that waits for leader election has none, and is well.
  @Override
  public Health live() {
    long now = nanos.getAsLong();
    Optional<String> stopped =
        lastTurns.entrySet().stream()
            .filter(entry -> now - entry.getValue() > LONGEST_TURN.toNanos())
            .map(entry -> entry.getKey().toString())
            .sorted()
            .findFirst()
            .map(one -> "no turn of " + one + " ends");
    return Health.of(stopped);
  }

  @Override
  public PrometheusRegistry registry() {
    return registry;
  }
}
