package io.keyward.node.plugin;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.KmsEndpoints;
import io.keyward.codec.object.MonitorCodec.Observed;
import io.keyward.codec.object.PreflightCodec;
import io.keyward.codec.status.OperatorStatus;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.sidecar.PluginFiles;
import io.keyward.core.sidecar.Sidecars;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.node.host.Hex;
import io.keyward.node.host.PluginSource;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Tries plugins of this node when the operator asks, and reports their health.
///
/// They are asked again and again. What is written is what changed; what did not change is written
/// half as often, because a report also tells that somebody still looks.
public final class PluginReporter {
  private static final int HEARTBEAT = 2;
  private static final int SCHEME = PluginSource.SCHEME.length();

  private final Api cluster;
  private final Component component;
  private final String node;
  private final PluginSource source;
  private final Duration interval;
  private final PluginObserver observer;
  private final PluginProbe probe;
  private final OwnReports own;
  private final MonitorFile monitor;

  // Times of this process, which nobody can set back.
  private long asked;
  private long written;
  private boolean hurries = true;

  public PluginReporter(
      Api cluster,
      Component component,
      String node,
      Duration interval,
      PluginSource source,
      PluginObserver observer) {
    this.cluster = cluster;
    this.component = component;
    this.node = node;
    this.own = new OwnReports(node);
    this.source = source;
    this.monitor = new MonitorFile(source.locate(Path.of(PluginFiles.monitor(component.name()))));
    this.interval = interval;
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

  /// Of the plugins that the API server of this node uses.
  ///
  /// @param seen the status as it stands, with what was reported before this process was started
  public void report(OperatorStatus seen) {
    long now = System.nanoTime();
    if (!hurries && now - asked < interval.toNanos()) {
      return;
    }
    List<HealthReport> reports = look(seen);
    boolean due = hurries || now - written >= HEARTBEAT * interval.toNanos();
    if (own.isNews(reports) || (due && !reports.isEmpty())) {
      cluster.apply(
          component.operatorPath() + "/status", manager(), component.status().reports(reports));
      written = now;
      own.told(reports);
    }
    hurries = false;
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
    KmsEndpoints.of(source.config())
        .forEach((serial, endpoint) -> {
          Observed observed =
              sidecars.serves(endpoint.substring(Math.min(endpoint.length(), SCHEME)))
                  ? MonitorFile.of(monitored, serial, now)
                  : new Observed(probe.health(source.reach(endpoint)), now, List.of());
          HealthReport report = own.next(serial, observed.probe(), seen, observed.checked());
          healthy.put(endpoint, report.status() == HealthReport.Status.HEALTHY);
          reports.add(report);
        });
    observer.health(component.name(), healthy);
    return List.copyOf(reports);
  }

  private String manager() {
    return "kms-health-reporter-" + Hex.sha256(node.getBytes(StandardCharsets.UTF_8));
  }
}
