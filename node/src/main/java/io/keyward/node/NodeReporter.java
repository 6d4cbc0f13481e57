package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.rollout.OneLine;
import io.keyward.core.rollout.node.ApiServerProcess;
import io.keyward.core.rollout.node.NodeFailure;
import io.keyward.core.rollout.node.NodeView;
import io.keyward.kube.Api;
import io.keyward.kube.Component;
import io.keyward.kube.StatusBody;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// What stands of one node in the status, and what its agent writes there: what changed, and what
/// stands otherwise.
final class NodeReporter {
  private static final Duration AGAIN = Duration.ofSeconds(30);

  /// Where the status went back, the operator must not believe it for long.
  private static final Duration SOON = Duration.ofSeconds(2);

  /// No field manager may have a longer name.
  private static final int LONGEST_MANAGER = 128;

  /// What only the agent says. Who is to run what is the operator's word.
  private static final List<String> OWN =
      List.of(
          "ready",
          "currentRevision",
          "startedTime",
          "lastFailedRevision",
          "lastFailedReason",
          "lastFailedRevisionErrors",
          StatusBody.EXISTING,
          StatusBody.INSTALLED,
          StatusBody.INSTALLED_DIGEST);

  private final Consumer<ObjectNode> write;
  private final String node;
  private final StatusBody status;
  private final Stopwatch told;
  private String reported = "";
  private Optional<Instant> lastStart = Optional.empty();

  NodeReporter(Api cluster, Component component, String node, LongSupplier nanos) {
    this(
        body -> cluster.apply(component.operatorPath() + "/status", manager(node), body),
        component,
        node,
        nanos);
  }

  /// @param write has the status say this
  NodeReporter(Consumer<ObjectNode> write, Component component, String node, LongSupplier nanos) {
    this.write = write;
    this.node = node;
    this.status = new StatusBody(component);
    this.told = new Stopwatch(nanos);
  }

  /// Whether this process has said anything yet.
  boolean hasSpoken() {
    return !reported.isEmpty();
  }

  Optional<JsonNode> own(JsonNode seen) {
    for (JsonNode one : seen.path("nodeStatuses")) {
      if (one.path("nodeName").asText("").equals(node)) {
        return Optional.of(one);
      }
    }
    return Optional.empty();
  }

  /// What was said of a failure, perhaps by an agent before this one.
  Optional<NodeFailure> failure(JsonNode seen) {
    return own(seen)
        .filter(one -> one.path("lastFailedRevision").asLong(0) > 0)
        .map(one ->
            new NodeFailure(
                one.path("lastFailedRevision").asLong(),
                NodeFailure.Kind.of(one.path("lastFailedReason").asText("")),
                one.path("lastFailedRevisionErrors").path(0).asText("")));
  }

  void report(JsonNode seen, NodeView.Server server, NodeReport report) {
    // Between two starts the last one stands. A node without any counts as one without a pod.
    lastStart = server.process().map(ApiServerProcess::startedAt).or(() -> lastStart);
    ObjectNode body = status.fresh();
    ObjectNode one = status.part(body).putArray("nodeStatuses").addObject();
    one.put("nodeName", node).put("ready", server.ready()).put("currentRevision", report.arrived());
    lastStart.ifPresent(
        at -> one.put("startedTime", at.truncatedTo(ChronoUnit.SECONDS).toString()));
    report.existing().ifPresent(what -> one.put(StatusBody.EXISTING, OneLine.of(what)));
    report
        .installed()
        .ifPresent(what -> {
          one.put(StatusBody.INSTALLED, what.revision());
          one.put(StatusBody.INSTALLED_DIGEST, what.digest());
        });
    report
        .failure()
        .ifPresent(what -> {
          one.put("lastFailedRevision", what.revision())
              .put("lastFailedReason", what.kind().word());
          one.putArray("lastFailedRevisionErrors").add(what.why());
        });
    // A node may have left and come back. At leisure: what was seen may be older than what was
    // told,
    // and the node may have left for good. A status that comes from a backup is corrected at once.
    boolean isDue =
        (told.isPast(AGAIN) && !stands(one, own(seen)))
            || (told.isPast(SOON) && wentBack(one, own(seen)));
    if (!body.toString().equals(reported) || isDue) {
      write.accept(body);
      reported = body.toString();
      told.start();
    }
  }

  /// Numbers of revisions only grow, but where etcd was restored from a backup.
  private static boolean wentBack(JsonNode said, Optional<JsonNode> seen) {
    return seen.isPresent()
        && List.of("currentRevision", StatusBody.INSTALLED).stream()
            .anyMatch(member ->
                seen.orElseThrow().has(member)
                    && seen.orElseThrow().path(member).asLong() < said.path(member).asLong());
  }

  /// As text: a number that was read is of another class than one that is to be written.
  private static boolean stands(JsonNode said, Optional<JsonNode> seen) {
    return seen.isPresent()
        && OWN.stream()
            .allMatch(member ->
                said.path(member).toString().equals(seen.orElseThrow().path(member).toString()));
  }

  static String manager(String node) {
    String plain = "keyward-node-agent-" + node;
    return plain.length() <= LONGEST_MANAGER
        ? plain
        : "keyward-node-agent-" + Hex.sha256(node.getBytes(StandardCharsets.UTF_8));
  }
}
