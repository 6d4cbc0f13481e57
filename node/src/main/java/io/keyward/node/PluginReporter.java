package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.HealthReport;
import io.keyward.kube.Api;
import io.keyward.kube.Component;
import io.keyward.kube.PreflightRecord;
import io.keyward.kube.StatusBody;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// Tries plugins of this node when the operator asks, and reports their health.
///
/// They are asked again and again. What is written is what changed; what did not change is written
/// half as often, because a report also tells that somebody still looks.
final class PluginReporter {
  private static final int HEARTBEAT = 2;

  private final Api cluster;
  private final Component component;
  private final String node;
  private final PluginSource source;
  private final StatusBody status;
  private final Duration interval;
  private final PluginObserver observer;
  private final PluginProbe probe;
  private final OwnReports own;

  // Times of this process, which nobody can set back.
  private long asked;
  private long written;
  private boolean hurries = true;

  PluginReporter(
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
    this.status = new StatusBody(component);
    this.interval = interval;
    this.observer = observer;
    this.probe = new PluginProbe(observer);
  }

  void answerPreflight() {
    String path = component.configMaps() + "/" + component.preflight();
    String key = PreflightRecord.NODE + node;
    Optional<ObjectNode> ask =
        cluster
            .get(path)
            .filter(PreflightRecord::isOurs)
            .filter(found -> !found.path("data").has(key));
    if (ask.isPresent()) {
      String endpoint = ask.orElseThrow().path("data").path(PreflightRecord.ENDPOINT).asText("");
      String answer = probe.preflight(source.reach(endpoint));
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      // The same object, not one that was made anew for another configuration meanwhile.
      body.putObject("metadata").put("uid", ask.orElseThrow().at("/metadata/uid").asText());
      body.putObject("data").put(key, answer);
      cluster.mergePatch(path, body);
    }
  }

  /// The next report does not wait for its time.
  void hurry() {
    hurries = true;
  }

  /// Of the plugins that the API server of this node uses.
  ///
  /// @param seen the status as it stands, with what was reported before this process was started
  void report(JsonNode seen) {
    long now = System.nanoTime();
    if (!hurries && now - asked < interval.toNanos()) {
      return;
    }
    List<HealthReport> reports = look(seen);
    boolean due = hurries || now - written >= HEARTBEAT * interval.toNanos();
    if (own.isNews(reports) || (due && !reports.isEmpty())) {
      cluster.apply(component.operatorPath() + "/status", manager(), body(reports));
      written = now;
      own.told(reports);
    }
    hurries = false;
    asked = now;
  }

  private List<HealthReport> look(JsonNode seen) {
    var reports = new ArrayList<HealthReport>();
    var healthy = new TreeMap<String, Boolean>();
    // Seconds, as they are stored.
    Instant now = Instant.now().truncatedTo(ChronoUnit.SECONDS);
    PluginProbe.endpoints(source.config())
        .forEach((serial, endpoint) -> {
          HealthReport report = own.next(serial, probe.health(source.reach(endpoint)), seen, now);
          healthy.put(endpoint, report.status() == HealthReport.Status.HEALTHY);
          reports.add(report);
        });
    observer.health(component.name(), healthy);
    return List.copyOf(reports);
  }

  private ObjectNode body(List<HealthReport> reports) {
    ObjectNode body = status.fresh();
    if (!reports.isEmpty()) {
      // Without the member an apply takes back what stood there.
      status
          .part(body)
          .withObject("/encryptionStatus")
          .set("healthReports", OwnReports.json(reports));
    }
    return body;
  }

  private String manager() {
    return "kms-health-reporter-" + Hex.sha256(node.getBytes(StandardCharsets.UTF_8));
  }
}
