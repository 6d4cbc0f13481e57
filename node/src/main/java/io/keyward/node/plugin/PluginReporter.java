package io.keyward.node.plugin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.KmsEndpoints;
import io.keyward.codec.object.MonitorCodec.Observed;
import io.keyward.codec.object.PreflightCodec;
import io.keyward.codec.status.OperatorStatus;
import io.keyward.core.health.Probe;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.sidecar.PluginFiles;
import io.keyward.core.sidecar.Sidecars;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.node.cluster.StepLoop;
import io.keyward.node.host.Hex;
import io.keyward.node.host.PluginSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ThreadLocalRandom;

/// Tries plugins of this node when the operator asks, and reports their health.
///
/// They are asked again and again. What is written is what changed; what did not change is written
/// half as often, because a report also tells that somebody still looks.
public final class PluginReporter implements Runnable {
  private static final int HEARTBEAT = 2;
  private static final int SCHEME = PluginSource.SCHEME.length();

  private final Api cluster;
  private final Component component;
  private final String node;
  private final PluginSource source;
  private final PluginTiming timing;
  private final PluginObserver observer;
  private final PluginProbe probe;
  private final OwnReports own;
  private final MonitorReports monitor;

  // Times of this process, which nobody can set back.
  private long asked;
  private long written;
  private long pause;
  private volatile boolean hurries = true;
  private volatile Optional<OperatorStatus> followed = Optional.empty();

  public PluginReporter(
      Api cluster,
      Component component,
      String node,
      PluginTiming timing,
      PluginSource source,
      PluginObserver observer) {
    this.cluster = cluster;
    this.component = component;
    this.node = node;
    this.own = new OwnReports(node);
    this.source = source;
    this.monitor =
        new MonitorReports(source.locate(Path.of(PluginFiles.monitor(component.name()))));
    this.timing = timing;
    this.observer = observer;
    this.probe = new PluginProbe(component.name(), observer);
  }

  public void answerPreflight() {
    String path = component.configMaps() + "/" + component.preflight();
    Optional<ObjectNode> asked = cluster.get(path).filter(PreflightCodec::isOurs);
    asked
        .flatMap(one -> PreflightCodec.endpoint(one, node))
        .ifPresent(endpoint -> {
          String answer = probe.preflight(source.reach(endpoint));
          cluster.mergePatch(path, PreflightCodec.answered(asked.orElseThrow(), node, answer));
        });
  }

  /// The next report does not wait for its time.
  public void hurry() {
    hurries = true;
  }

  /// From now on the plugins of the API server of this node are probed.
  ///
  /// @param seen the status as it stands, with what was reported before this process was started
  public void follow(OperatorStatus seen) {
    followed = Optional.of(seen);
  }

  /// Until the next call of `follow` nothing is probed: another revision is being installed.
  public void rest() {
    followed = Optional.empty();
  }

  /// Until interrupted. Its own thread: a plugin that does not respond must not delay the rollout.
  @Override
  public void run() {
    try {
      StepLoop.run(() -> {
        // Also while no API server responds: perhaps this is why.
        monitor.share(!source.sidecars().isEmpty());
        followed.ifPresent(this::report);
      });
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }

  /// Of the plugins that the API server of this node uses.
  void report(OperatorStatus seen) {
    long now = System.nanoTime();
    boolean isHurried = hurries;
    if (!isHurried && now - asked < pause) {
      return;
    }
    hurries = false;
    // Nodes do not call their KMS in step.
    pause =
        (long) (timing.probe().toNanos() * (0.9 + 0.1 * ThreadLocalRandom.current().nextDouble()));
    List<HealthReport> reports = look(seen);
    boolean due = isHurried || now - written >= HEARTBEAT * timing.report().toNanos();
    if (own.isNews(reports) || (due && !reports.isEmpty())) {
      cluster.apply(
          component.operatorPath() + "/status", manager(), component.status().reports(reports));
      written = now;
      own.told(reports);
    }
    asked = now;
  }

  private List<HealthReport> look(OperatorStatus seen) {
    var reports = new ArrayList<HealthReport>();
    var healthy = new TreeMap<String, Boolean>();
    // Seconds, as they are stored.
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    Sidecars sidecars = source.sidecars();
    SortedMap<KeySerial, Observed> monitored =
        sidecars.isEmpty() ? Collections.emptySortedMap() : monitor.read();
    SortedMap<KeySerial, String> endpoints = KmsEndpoints.of(source.config());
    Map<KeySerial, Probe> probed = probes(endpoints, sidecars);
    endpoints.forEach((serial, endpoint) -> {
      Observed observed =
          probed.containsKey(serial)
              ? new Observed(probed.get(serial), now, List.of())
              : MonitorReports.of(monitored, serial, now);
      HealthReport report =
          own.next(serial, observed.probe(), seen, observed.checked()).warning(observed.warnings());
      healthy.put(endpoint, report.status() == HealthReport.Status.HEALTHY);
      reports.add(report);
    });
    observer.health(component.name(), healthy);
    return List.copyOf(reports);
  }

  /// Of the plugins that a user runs, all at the same time: each may take as long as its deadline.
  private Map<KeySerial, Probe> probes(SortedMap<KeySerial, String> endpoints, Sidecars sidecars) {
    var probed = new ConcurrentHashMap<KeySerial, Probe>();
    var threads = new ArrayList<Thread>();
    var userManaged = new TreeMap<>(endpoints);
    userManaged.values().removeIf(endpoint -> sidecars.serves(path(endpoint)));
    userManaged.forEach((serial, endpoint) ->
        threads.add(
            Thread.ofVirtual()
                .start(() -> probed.put(serial, probe.health(source.reach(endpoint))))));
    for (Thread one : threads) {
      try {
        one.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
    userManaged
        .keySet()
        .forEach(
            serial -> probed.putIfAbsent(serial, new Probe.Failure("the probe was interrupted")));
    return probed;
  }

  private static String path(String endpoint) {
    return endpoint.substring(Math.min(endpoint.length(), SCHEME));
  }

  private String manager() {
    return "kms-health-reporter-" + Hex.sha256(node.getBytes(StandardCharsets.UTF_8));
  }
}
