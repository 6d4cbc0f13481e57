package io.keyward.kms.plugin.monitor;

import io.keyward.kms.plugin.config.MonitorConfig;
import io.keyward.kms.plugin.monitor.MonitorReport.Entry;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;
import java.util.function.Consumer;
import java.util.function.DoubleSupplier;

/// Calls Status of every plugin of an API server, again and again, and reports each round.
///
/// All plugins at the same time: one that hangs delays the report by its deadline, not the probes
/// of the others.
public final class PluginMonitor implements AutoCloseable {
  private static final Logger LOG = System.getLogger(PluginMonitor.class.getName());
  private static final Duration DEADLINE = Duration.ofSeconds(5);

  /// After which part of the interval the first round starts.
  private static final int FIRST = 4;

  /// For a probe to end by itself once its deadline is over.
  private static final Duration GRACE = Duration.ofMillis(500);

  private final MonitorConfig config;
  private final OwnKeys own;
  private final StatusProbe probe;
  private final Consumer<MonitorReport> reports;
  private final InstantSource clock;
  private final Duration patience;
  private final Thread thread = Thread.ofVirtual().name("monitor").unstarted(this::run);

  /// @param patience how long a round waits for a probe
  PluginMonitor(
      MonitorConfig config,
      OwnKeys own,
      StatusProbe probe,
      Consumer<MonitorReport> reports,
      InstantSource clock,
      Duration patience) {
    this.config = config;
    this.own = own;
    this.probe = probe;
    this.reports = reports;
    this.clock = clock;
    this.patience = patience;
  }

  /// A monitor that writes the configured file and exports metrics.
  public static PluginMonitor of(MonitorConfig config, OwnKeys own, PrometheusRegistry registry) {
    var file = new MonitorFile(config.file());
    var metrics = new MonitorMetrics(config.component(), registry);
    Consumer<MonitorReport> reports =
        report -> {
          metrics.show(report);
          file.write(report.json());
        };
    return new PluginMonitor(
        config, own, new SocketProbe(), reports, InstantSource.system(), DEADLINE.plus(GRACE));
  }

  public void start() {
    thread.start();
  }

  private void run() {
    try {
      // The plugins of the pod have just started, and their KMS has not answered yet.
      Thread.sleep(config.interval().dividedBy(FIRST));
      while (true) {
        long began = System.nanoTime();
        oneRound();
        Duration took = Duration.ofNanos(System.nanoTime() - began);
        Thread.sleep(pause(config.interval(), took, ThreadLocalRandom.current()::nextDouble));
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// The edge of the program: a defect must not end the monitoring.
  private void oneRound() throws InterruptedException {
    try {
      reports.accept(round());
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a round of the monitor failed by a defect", e);
    }
  }

  /// From the start of one round to the start of the next passes the interval, give or take a
  /// tenth: the monitors of several nodes do not call in step. A round that took longer is followed
  /// by a short pause.
  ///
  /// @param random from 0 to 1
  static Duration pause(Duration interval, Duration took, DoubleSupplier random) {
    double factor = 0.9 + 0.2 * random.getAsDouble();
    Duration left = Duration.ofNanos((long) (interval.toNanos() * factor)).minus(took);
    Duration shortest = interval.dividedBy(10);
    return left.compareTo(shortest) < 0 ? shortest : left;
  }

  /// One probe of each plugin.
  MonitorReport round() throws InterruptedException {
    Instant checked = clock.instant();
    Map<String, ProbeOutcome> outcomes = outcomes();
    var entries = new ArrayList<Entry>();
    config
        .endpoints()
        .forEach((key, endpoint) -> {
          ProbeOutcome outcome =
              Optional.ofNullable(outcomes.get(key))
                  .orElseGet(() -> new ProbeOutcome.Failure(SocketProbe.late(DEADLINE)));
          entries.add(
              new Entry(key, endpoint, checked, own.explained(key, outcome), own.warningsOf(key)));
        });
    return new MonitorReport(clock.instant(), entries);
  }

  private Map<String, ProbeOutcome> outcomes() throws InterruptedException {
    var outcomes = new ConcurrentHashMap<String, ProbeOutcome>();
    var threads = new ArrayList<Thread>();
    config
        .endpoints()
        .forEach((key, endpoint) ->
            threads.add(
                Thread.ofVirtual()
                    .name("monitor-" + key)
                    .start(() -> outcomes.put(key, outcome(endpoint)))));
    long end = System.nanoTime() + patience.toNanos();
    try {
      for (Thread one : threads) {
        var _ = one.join(Duration.ofNanos(Math.max(1, end - System.nanoTime())));
      }
      // A copy: what a probe that is too late still adds belongs to no report.
      return new TreeMap<>(outcomes);
    } finally {
      threads.forEach(Thread::interrupt);
    }
  }

  /// The edge of the program: a defect must not look like a plugin that hangs.
  private ProbeOutcome outcome(String endpoint) {
    try {
      return probe.status(endpoint, DEADLINE);
    } catch (RuntimeException e) {
      LOG.log(Level.ERROR, "a probe failed by a defect", e);
      return new ProbeOutcome.Failure("a defect of the monitor; see its log");
    }
  }

  @Override
  public void close() {
    thread.interrupt();
  }
}
