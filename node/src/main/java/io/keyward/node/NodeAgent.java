package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.Api;
import io.keyward.kube.ClusterFailure;
import io.keyward.kube.Component;
import io.keyward.kube.PreflightRecord;
import io.keyward.operator.ChangedMeanwhile;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.TimeUnit;

/// Carries revisions onto one node, one step at a time, and reports what the node runs.
///
/// Every step starts from what is on disk and what the API server says, so it may be killed and
/// started again at any moment.
public final class NodeAgent {
  private static final Logger LOG = System.getLogger(NodeAgent.class.getName());
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Duration PAUSE = Duration.ofMillis(500);

  private final Api cluster;
  private final LocalServer server;
  private final Component component;
  private final NodeSettings settings;
  private final RevisionFiles files;
  private Optional<Instant> restartedAt = Optional.empty();
  private long arrivedBefore;
  private long failed;
  private String failure = "";
  private Instant nextHealth = Instant.EPOCH;
  private String reported = "";
  private boolean hasReports;

  /// An agent for one API server.
  ///
  /// @param cluster any API server of the cluster
  /// @param local the API server of this node
  public NodeAgent(Api cluster, Api local, Component component, NodeSettings settings) {
    this.cluster = cluster;
    this.server = new LocalServer(local);
    this.component = component;
    this.settings = settings;
    this.files = new RevisionFiles(settings.configFile());
  }

  /// Until interrupted.
  public void run() throws InterruptedException {
    while (true) {
      try {
        step();
      } catch (ClusterFailure | ChangedMeanwhile e) {
        LOG.log(Level.DEBUG, "later: " + e.getMessage());
      } catch (RuntimeException e) {
        LOG.log(Level.WARNING, "this step failed and is tried again", e);
      }
      Thread.sleep(PAUSE);
    }
  }

  void step() throws InterruptedException {
    JsonNode status = status();
    LocalServer.State state = server.look();
    long target = own(status, "targetRevision");
    if (reported.isEmpty()) {
      arrivedBefore = own(status, "currentRevision");
    }
    if (target > files.revision()) {
      bring(target);
      restart();
    } else if (needsRestart(state)) {
      restart();
    }
    report(state);
    answerPreflight();
    reportHealth(state);
  }

  private JsonNode status() {
    JsonNode status =
        cluster
            .get(component.operatorPath())
            .map(found -> found.path("status"))
            .orElseGet(JSON::createObjectNode);
    return component.statusMember().isEmpty() ? status : status.path(component.statusMember());
  }

  private long own(JsonNode status, String member) {
    for (JsonNode one : status.path("nodeStatuses")) {
      if (one.path("nodeName").asText("").equals(settings.node())) {
        return one.path(member).asLong(0);
      }
    }
    return 0;
  }

  private void bring(long revision) {
    String name = component.revision(revision);
    JsonNode secret =
        cluster
            .get(component.secrets() + "/" + name)
            .orElseThrow(() -> new ClusterFailure("secret " + name + " is not there yet"));
    String data = secret.at("/data/encryption-config").asText("");
    if (data.isEmpty()) {
      throw new ClusterFailure("secret " + name + " holds no configuration");
    }
    files.write(revision, Base64.getDecoder().decode(data));
    LOG.log(Level.INFO, "revision " + revision + " is on this node");
  }

  /// It runs, but since before the files were written, and nobody restarts it yet.
  private boolean needsRestart(LocalServer.State state) {
    return files.revision() > 0
        && state.startedAt().filter(at -> !at.isAfter(files.writtenAt())).isPresent()
        && restartedAt.filter(at -> Instant.now().isBefore(at.plus(settings.patience()))).isEmpty();
  }

  private void restart() throws InterruptedException {
    restartedAt = Optional.of(Instant.now());
    try {
      Process process =
          new ProcessBuilder(settings.restart())
              .redirectOutput(ProcessBuilder.Redirect.DISCARD)
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      if (!process.waitFor(settings.patience().toMillis(), TimeUnit.MILLISECONDS)) {
        process.destroyForcibly();
        fail("the restart command did not end");
      } else if (process.exitValue() != 0) {
        fail("the restart command ended with exit code " + process.exitValue());
      }
    } catch (IOException e) {
      fail("the restart command cannot be started: " + e.getMessage());
    }
  }

  private void fail(String why) {
    failed = files.revision();
    failure = why;
    LOG.log(Level.WARNING, why);
  }

  private boolean runsFiles(LocalServer.State state) {
    return files.revision() == 0
        || state.startedAt().filter(at -> at.isAfter(files.writtenAt())).isPresent();
  }

  private void report(LocalServer.State state) {
    boolean late =
        restartedAt.filter(at -> Instant.now().isAfter(at.plus(settings.patience()))).isPresent();
    boolean arrived = runsFiles(state) && state.ready();
    if (arrived) {
      restartedAt = Optional.empty();
      failed = 0;
    } else if (late && failed != files.revision()) {
      fail("the API server is not ready with revision " + files.revision());
    }
    ObjectNode body = skeleton();
    ObjectNode one = member(body).putArray("nodeStatuses").addObject();
    one.put("nodeName", settings.node()).put("ready", state.ready());
    // What was reported before stands until the new revision has arrived.
    one.put("currentRevision", arrived ? files.revision() : arrivedBefore);
    state
        .startedAt()
        .ifPresent(at -> one.put("startedTime", at.truncatedTo(ChronoUnit.SECONDS).toString()));
    if (failed > 0) {
      one.put("lastFailedRevision", failed).put("lastFailedReason", "NotReady");
      one.putArray("lastFailedRevisionErrors").add(failure);
    }
    if (state.startedAt().isPresent() && !body.toString().equals(reported)) {
      cluster.apply(
          component.operatorPath() + "/status", "keyward-node-agent-" + settings.node(), body);
      reported = body.toString();
      if (arrivedBefore != one.path("currentRevision").asLong()) {
        arrivedBefore = one.path("currentRevision").asLong();
        nextHealth = Instant.EPOCH;
      }
    }
  }

  private ObjectNode skeleton() {
    ObjectNode body = JSON.createObjectNode();
    body.put("apiVersion", "operator.openshift.io/v1").put("kind", component.kind());
    body.putObject("metadata").put("name", "cluster");
    return body;
  }

  private ObjectNode member(ObjectNode body) {
    ObjectNode status = body.withObject("/status");
    return component.statusMember().isEmpty()
        ? status
        : status.withObject("/" + component.statusMember());
  }

  private void answerPreflight() {
    String path = component.configMaps() + "/" + component.preflight();
    String key = PreflightRecord.NODE + settings.node();
    Optional<ObjectNode> ask = cluster.get(path).filter(found -> !found.path("data").has(key));
    if (ask.isPresent()) {
      String answer =
          PluginProbe.preflight(
              ask.orElseThrow().path("data").path(PreflightRecord.ENDPOINT).asText(""));
      ObjectNode body = JSON.createObjectNode();
      // The same object, not one that was made anew for another configuration meanwhile.
      body.putObject("metadata").put("uid", ask.orElseThrow().at("/metadata/uid").asText());
      body.putObject("data").put(key, answer);
      cluster.mergePatch(path, body);
    }
  }

  private void reportHealth(LocalServer.State state) {
    Instant now = Instant.now();
    if (files.revision() == 0 || now.isBefore(nextHealth) || !runsFiles(state)) {
      return;
    }
    ObjectNode body = skeleton();
    ArrayNode reports = JSON.createArrayNode();
    PluginProbe.endpoints(files.content())
        .forEach((serial, endpoint) -> {
          PluginProbe.Health health = PluginProbe.health(endpoint);
          ObjectNode one = reports.addObject();
          one.put("nodeName", settings.node()).put("keyID", serial).put("status", health.status());
          one.put("lastCheckedTime", now.truncatedTo(ChronoUnit.SECONDS).toString());
          put(one, "remoteKeyID", health.keyId());
          put(one, "detail", health.detail());
        });
    if (!reports.isEmpty()) {
      member(body).withObject("/encryptionStatus").set("healthReports", reports);
    } else if (!hasReports) {
      return;
    }
    // An empty list takes back what stood there; it is sent once.
    hasReports = !reports.isEmpty();
    cluster.apply(component.operatorPath() + "/status", manager(), body);
    nextHealth = now.plus(settings.reportInterval());
  }

  private static void put(ObjectNode one, String member, String text) {
    if (!text.isEmpty()) {
      one.put(member, text.length() > 1024 ? text.substring(0, 1024) : text);
    }
  }

  private String manager() {
    return "kms-health-reporter-" + Hex.sha256(settings.node().getBytes(StandardCharsets.UTF_8));
  }
}
