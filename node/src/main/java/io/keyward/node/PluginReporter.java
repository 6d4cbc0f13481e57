package io.keyward.node;

import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.Api;
import io.keyward.kube.Component;
import io.keyward.kube.PreflightRecord;
import io.keyward.kube.StatusBody;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Tries plugins of this node when the operator asks, and reports their health again and again.
final class PluginReporter {
  private final Api cluster;
  private final Component component;
  private final String node;
  private final PluginSource source;
  private final StatusBody status;
  private final Duration interval;
  private Instant next = Instant.EPOCH;
  private boolean hasReports;

  PluginReporter(
      Api cluster, Component component, String node, Duration interval, PluginSource source) {
    this.cluster = cluster;
    this.component = component;
    this.node = node;
    this.source = source;
    this.status = new StatusBody(component);
    this.interval = interval;
  }

  void answerPreflight() {
    String path = component.configMaps() + "/" + component.preflight();
    String key = PreflightRecord.NODE + node;
    Optional<ObjectNode> ask = cluster.get(path).filter(found -> !found.path("data").has(key));
    if (ask.isPresent()) {
      String endpoint = ask.orElseThrow().path("data").path(PreflightRecord.ENDPOINT).asText("");
      String answer = PluginProbe.preflight(source.reach(endpoint));
      ObjectNode body = JsonNodeFactory.instance.objectNode();
      // The same object, not one that was made anew for another configuration meanwhile.
      body.putObject("metadata").put("uid", ask.orElseThrow().at("/metadata/uid").asText());
      body.putObject("data").put(key, answer);
      cluster.mergePatch(path, body);
    }
  }

  /// The next report does not wait for its time.
  void hurry() {
    next = Instant.EPOCH;
  }

  /// Of the plugins that the API server of this node uses.
  void report() {
    Instant now = Instant.now();
    if (now.isBefore(next)) {
      return;
    }
    ObjectNode body = status.fresh();
    ArrayNode reports = JsonNodeFactory.instance.arrayNode();
    PluginProbe.endpoints(source.config())
        .forEach((serial, endpoint) -> {
          PluginProbe.Health health = PluginProbe.health(source.reach(endpoint));
          ObjectNode one = reports.addObject();
          one.put("nodeName", node).put("keyID", serial).put("status", health.status());
          one.put("lastCheckedTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
          put(one, "remoteKeyID", health.keyId());
          put(one, "detail", health.detail());
        });
    if (!reports.isEmpty()) {
      status.part(body).withObject("/encryptionStatus").set("healthReports", reports);
    } else if (!hasReports) {
      return;
    }
    // An empty list takes back what stood there; it is sent once.
    hasReports = !reports.isEmpty();
    cluster.apply(component.operatorPath() + "/status", manager(), body);
    next = now.plus(interval);
  }

  private static void put(ObjectNode one, String member, String text) {
    if (!text.isEmpty()) {
      one.put(member, text.length() > 1024 ? text.substring(0, 1024) : text);
    }
  }

  private String manager() {
    return "kms-health-reporter-" + Hex.sha256(node.getBytes(StandardCharsets.UTF_8));
  }
}
