package io.keyward.node.agent;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import io.keyward.core.model.Settings;
import io.keyward.engine.Engine;
import io.keyward.engine.Rhythm;
import io.keyward.engine.TurnObserver;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.Installer;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.site.KubeSite;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.SharedControlPlane;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A KMS that one of two nodes cannot use is not gone over to: a real API server, the operator's
/// loop, an agent and a plugin with a key store for each node. What agents say of plugins
/// afterwards outlives them.
public final class PreflightIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final String DEGRADED = "EncryptionKMSPreflightControllerDegraded";
  private static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          Workload.RESTART_COMMAND,
          new TreeSet<>(List.of(new Resource("", "limitranges"))),
          new TreeSet<>(List.of("a", "b")));

  @TempDir private Path directory;
  private Api api;
  private TriedNode a;
  private TriedNode b;
  private Engine loop;

  @BeforeEach
  void start() throws IOException {
    ControlPlane plane = SharedControlPlane.cleared();
    api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
    new Installer(api).install(List.of(COMPONENT), Migrator.Kind.OURS);
    bothRunWithoutEncryption();
    a = new TriedNode(api, COMPONENT, "a", directory.resolve("a"));
    b = new TriedNode(api, COMPONENT, "b", directory.resolve("b"));
    loop = new Engine(TurnObserver.NOBODY, Rhythm.DEFAULT);
  }

  private KubeSite site() {
    InstantSource clock = InstantSource.system();
    return new KubeSite(
        api,
        COMPONENT,
        Settings.DEFAULT,
        clock,
        Migrator.of(Migrator.Kind.OURS, api, clock, _ -> {}),
        FeatureGates.DEFAULT,
        KubeSite.Access.ACTS);
  }

  @AfterEach
  void stop() {
    loop.close();
    a.close();
    b.close();
    api.close();
  }

  private void bothRunWithoutEncryption() {
    ObjectNode body = JSON.createObjectNode();
    ArrayNode nodes = body.putObject("status").putArray("nodeStatuses");
    for (String name : COMPONENT.nodes()) {
      nodes
          .addObject()
          .put("nodeName", name)
          .put("ready", true)
          .put("currentRevision", 0)
          .put("startedTime", "2026-01-02T03:04:05Z");
    }
    api.mergePatch(COMPONENT.operatorPath() + "/status", body);
  }

  @Test
  void aSocketThatIsMissingOnOneNodeHoldsItUpUntilItIsThere() throws IOException {
    Path keys = TriedNode.keys(directory.resolve("keys"));
    a.startPlugin(keys);
    wantKms();
    loop.add(site());
    awaitDegraded("on node b: ", " does not exist; start the plugin on this node");
    assertThat(message()).doesNotContain("on node a");
    assertNothingChanged();
    b.startPlugin(keys);
    assertThat(Waiting.until(() -> secret("encryption-config-kube-apiserver"), atMost(90)))
        .as(() -> message())
        .isTrue();
    assertThat(secret("encryption-key-kube-apiserver-1")).isTrue();
    awaitCondition("False");
  }

  @Test
  void nodesWithDifferentKeysAreRefused() throws IOException {
    a.startPlugin(TriedNode.keys(directory.resolve("one")));
    b.startPlugin(TriedNode.keys(directory.resolve("two")));
    wantKms();
    loop.add(site());
    awaitDegraded("different key_ids", " on a; ", " on b; ", "let all of them use the same key");
    assertNothingChanged();
  }

  @Test
  void aConfigMapThatIsNotOursIsLeftAlone() throws IOException {
    Path keys = TriedNode.keys(directory.resolve("keys"));
    a.startPlugin(keys);
    b.startPlugin(keys);
    ObjectNode theirs = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "ConfigMap");
    theirs.putObject("metadata").put("name", COMPONENT.preflight());
    theirs.putObject("data").put("endpoint", TriedNode.ENDPOINT);
    ObjectNode before = api.create(COMPONENT.configMaps(), theirs);
    wantKms();
    loop.add(site());
    awaitDegraded("ConfigMap encryption-preflight-kube-apiserver", "delete or rename it");
    assertNothingChanged();
    String path = COMPONENT.configMaps() + "/" + COMPONENT.preflight();
    assertThat(api.get(path)).contains(before);
    api.delete(path, before);
    assertThat(Waiting.until(() -> secret("encryption-key-kube-apiserver-1"), atMost(90)))
        .as(() -> message())
        .isTrue();
    awaitCondition("False");
  }

  /// What an agent or an operator that was started again knows of the past is in the reports.
  @Test
  void sinceWhenOutlivesThoseWhoTellAndRead() throws IOException, InterruptedException {
    Path keys = TriedNode.keys(directory.resolve("keys"));
    a.startPlugin(keys);
    b.startPlugin(keys);
    wantKms();
    loop.add(site());
    assertThat(Waiting.until(() -> isLaterThan(sinceOfB()), atMost(90))).isTrue();
    loop.close();
    String since = sinceOfB();
    String checked = ofB().path("lastCheckedTime").asText();
    b.restartAgent();
    assertThat(Waiting.until(() -> isLaterThan(checked), atMost(30))).isTrue();
    assertThat(sinceOfB()).isEqualTo(since);
    assertThat(site().observe().state().activity().reports())
        .filteredOn(report -> report.node().equals("b"))
        .singleElement()
        .satisfies(report -> {
          assertThat(report.kekSince()).contains(Instant.parse(since));
          assertThat(report.statusSince()).contains(Instant.parse(since));
        });
  }

  private JsonNode ofB() {
    for (JsonNode one : operator().at("/status/encryptionStatus/healthReports")) {
      if (one.path("nodeName").asText().equals("b")) {
        return one;
      }
    }
    return JSON.createObjectNode();
  }

  private String sinceOfB() {
    return ofB().path("remoteKeyIDSince").asText("");
  }

  /// Whether the node was heard of again after that time; all times have the same form.
  private boolean isLaterThan(String time) {
    return !time.isEmpty() && ofB().path("lastCheckedTime").asText("").compareTo(time) > 0;
  }

  private static Duration atMost(long seconds) {
    return Duration.ofSeconds(seconds);
  }

  private void wantKms() throws IOException {
    String wish =
        """
        {"spec":{"encryption":{"type":"KMS","kms":{"type":"External","external":
          {"endpoint":"%s"}}}}}
        """
            .formatted(TriedNode.ENDPOINT);
    api.mergePatch(
        "/apis/config.openshift.io/v1/apiservers/cluster", (ObjectNode) JSON.readTree(wish));
  }

  private boolean secret(String name) {
    return api.get("/api/v1/namespaces/openshift-config-managed/secrets/" + name).isPresent();
  }

  private void assertNothingChanged() {
    assertThat(secret("encryption-key-kube-apiserver-1")).isFalse();
    assertThat(secret("encryption-config-kube-apiserver")).isFalse();
    assertThat(operator().at("/status/latestAvailableRevision").asLong(0)).isZero();
  }

  private JsonNode operator() {
    return api.get(COMPONENT.operatorPath()).orElseThrow();
  }

  private JsonNode condition() {
    for (JsonNode one : operator().at("/status/conditions")) {
      if (one.path("type").asText().equals(DEGRADED)) {
        return one;
      }
    }
    return JSON.createObjectNode();
  }

  private String message() {
    return condition().path("message").asText("");
  }

  private void awaitDegraded(String... words) {
    awaitCondition("True", words);
  }

  private void awaitCondition(String status, String... words) {
    var last = new AtomicReference<>(condition());
    boolean seen =
        Waiting.until(
            () -> {
              last.set(condition());
              return last.get().path("status").asText().equals(status)
                  && Arrays.stream(words)
                      .allMatch(word -> last.get().path("message").asText("").contains(word));
            },
            atMost(60));
    assertThat(seen).as(last.get().toString()).isTrue();
  }
}
