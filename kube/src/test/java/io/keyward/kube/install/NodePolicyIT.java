package io.keyward.kube.install;

import static io.keyward.kube.install.KubeadmPlane.COMPONENT;
import static io.keyward.kube.install.KubeadmPlane.REVISIONS;
import static io.keyward.kube.install.KubeadmPlane.becomes;
import static io.keyward.kube.install.KubeadmPlane.patch;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.PreflightCodec;
import io.keyward.codec.status.NodeStatus;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.rollout.node.NodeFailure;
import io.keyward.kube.client.Api;
import io.keyward.testbed.SharedControlPlane;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.stream.Stream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;

/// What the user of a node may write, on a real API server: the entries of its own node. All these
/// requests have RBAC permission, so that the admission policy alone stands between them and the
/// object; without the policy they all succeed.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public final class NodePolicyIT {
  private static final String STATUS = COMPONENT.operatorPath() + "/status";
  private static final String PREFLIGHT = REVISIONS + "configmaps/" + COMPONENT.preflight();
  private static final String POLICIES = "/apis/admissionregistration.k8s.io/v1/";
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:05Z");
  private static final String REPORT =
      """
      {"nodeName":"%s","keyID":"1","status":"Healthy","remoteKeyID":"k",
       "lastCheckedTime":"2026-01-02T03:04:05Z"}
      """;
  private static final String BEFORE =
      """
      {"status":{
        "writeKey":"1 KMS",
        "latestAvailableRevision":2,
        "conditions":[{"type":"Encrypted","status":"False","reason":"R","message":"m",
          "lastTransitionTime":"2026-01-02T03:04:05Z"}],
        "nodeStatuses":[
          {"nodeName":"a","targetRevision":1,"currentRevision":1,"ready":true},
          {"nodeName":"b","targetRevision":1,"currentRevision":1,"ready":true}],
        "encryptionStatus":{
          "preflight":{"observedConfigHash":"AAAAAAAA"},
          "healthReports":[%s,%s]}}}
      """
          .formatted(REPORT.formatted("a"), REPORT.formatted("b"));

  private KubeadmPlane cluster;
  private Api admin;
  private Api node;

  /// A request of node a.
  ///
  /// @param type of the patch
  record Attempt(String what, String path, String type, String body) {
    Api.Answer send(Api api, String query) {
      String joined = path + (path.contains("?") ? "&" : "?") + query;
      return patch(api, joined, type, body);
    }

    @Override
    public String toString() {
      return what;
    }
  }

  @BeforeAll
  void start(@TempDir Path directory) {
    cluster = new KubeadmPlane(SharedControlPlane.cleared(), directory);
    admin = cluster.admin();
    new AgentAccess(cluster.account(Rights.OPERATOR), COMPONENT)
        .grant(new TreeSet<>(List.of("a", "b", "new")));
    grantTheResourceItself();
    node = cluster.node("a");
    reset();
    assertThat(becomes(() -> forbidden().allMatch(one -> isRefused(one.send(node, "dryRun=All")))))
        .isTrue();
  }

  @AfterAll
  void stop() {
    cluster.close();
  }

  /// More than is installed: RBAC alone must not be what refuses a change of the request.
  private void grantTheResourceItself() {
    String rbac = "/apis/rbac.authorization.k8s.io/v1/";
    admin.create(
        rbac + "clusterroles",
        json(
            """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole",
             "metadata":{"name":"too-much"},
             "rules":[{"apiGroups":["keyward.io"],"resources":["clusterencryptions"],
               "verbs":["patch","update"]}]}
            """));
    admin.create(
        rbac + "clusterrolebindings",
        json(
            """
            {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding",
             "metadata":{"name":"too-much"},
             "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole",
               "name":"too-much"},
             "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User",
               "name":"system:node:a"}]}
            """));
  }

  @BeforeEach
  void reset() {
    ObjectNode none = Api.JSON.createObjectNode();
    none.putNull("status");
    admin.mergePatch(STATUS, none);
    admin.mergePatch(STATUS, json(BEFORE));
    admin.get(PREFLIGHT).ifPresent(old -> admin.delete(PREFLIGHT, old));
    ObjectNode ask =
        PreflightCodec.ask(
            COMPONENT.preflight(),
            COMPONENT.name(),
            new Fingerprint("AAAAAAAA"),
            "unix:///run/x.sock",
            1,
            NOW);
    ask.withObject("/data").put("node.b", PreflightCodec.answer(false, "", "no"));
    admin.create(REVISIONS + "configmaps", ask);
  }

  private static Stream<Attempt> forbidden() {
    String entries = "/status/nodeStatuses";
    String reports = "/status/encryptionStatus/healthReports";
    return Stream.of(
        status("changes another entry", replace(entries + "/1/ready", "false")),
        status("changes the target of another node", replace(entries + "/1/targetRevision", "2")),
        status("removes another entry", remove(entries + "/1")),
        status("removes all entries", remove(entries)),
        status(
            "adds the entry of another node",
            add(entries + "/-", "{\"nodeName\":\"c\",\"currentRevision\":1}")),
        status("gives its entry to another node", replace(entries + "/0/nodeName", "\"c\"")),
        status("changes its own target", replace(entries + "/0/targetRevision", "2")),
        status("removes its own target", remove(entries + "/0/targetRevision")),
        status("removes its own entry with the target", remove(entries + "/0")),
        status("changes another report", replace(reports + "/1/remoteKeyID", "\"other\"")),
        status("removes another report", remove(reports + "/1")),
        status("removes all reports", remove(reports)),
        status("adds the report of another node", add(reports + "/-", REPORT.formatted("c"))),
        status("changes a condition", replace("/status/conditions/0/status", "\"True\"")),
        status("removes the conditions", remove("/status/conditions")),
        status("changes the newest revision", replace("/status/latestAvailableRevision", "3")),
        status("changes the write key", replace("/status/writeKey", "\"2 KMS\"")),
        status("adds a member", add("/status/more", "1")),
        status(
            "writes the result of a preflight",
            add(
                "/status/encryptionStatus/preflight/result",
                "{\"status\":\"Succeeded\",\"configHash\":\"AAAAAAAA\",\"remoteKeyID\":\"k\"}")),
        status("removes the preflight", remove("/status/encryptionStatus/preflight")),
        status(
            "writes a migration",
            add(
                "/status/encryptionStatus/migrations",
                "[{\"resource\":\"secrets\",\"writeKey\":\"1\",\"state\":\"Succeeded\"}]")),
        status("removes the status", remove("/status")),
        new Attempt(
            "replaces all entries in a merge",
            STATUS,
            "merge-patch+json",
            "{\"status\":{\"nodeStatuses\":[{\"nodeName\":\"a\",\"targetRevision\":1}]}}"),
        applied("applies another entry", "{\"nodeName\":\"b\",\"ready\":false}"),
        applied("applies its own target", "{\"nodeName\":\"a\",\"targetRevision\":2}"),
        new Attempt(
            "changes the request",
            COMPONENT.operatorPath(),
            "merge-patch+json",
            "{\"spec\":{\"encryption\":{\"type\":\"identity\"}}}"),
        new Attempt(
            "changes a label of the request",
            COMPONENT.operatorPath(),
            "merge-patch+json",
            "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}"),
        preflight("answers for another node", "{\"data\":{\"node.c\":\"{}\"}}"),
        preflight("changes the answer of another node", "{\"data\":{\"node.b\":\"{}\"}}"),
        preflight("removes the answer of another node", "{\"data\":{\"node.b\":null}}"),
        preflight("changes the question", "{\"data\":{\"endpoint\":\"unix:///run/y.sock\"}}"),
        preflight("removes all answers", "{\"data\":null}"),
        preflight("adds binary data", "{\"binaryData\":{\"x\":\"eA==\"}}"),
        preflight("makes it immutable", "{\"immutable\":true}"),
        preflight(
            "takes the label of a preflight",
            "{\"metadata\":{\"labels\":{\"keyward.io/preflight-of\":null}}}"),
        preflight("adds a finalizer", "{\"metadata\":{\"finalizers\":[\"x.example.com/y\"]}}"));
  }

  private static Attempt status(String what, String operation) {
    return new Attempt(what, STATUS, "json-patch+json", "[" + operation + "]");
  }

  /// With the name of the operator's own field manager, as an attacker would.
  private static Attempt applied(String what, String entry) {
    return new Attempt(
        what,
        STATUS + "?force=true&fieldManager=kube-apiserver-EncryptionRollout",
        "apply-patch+yaml",
        """
        {"apiVersion":"keyward.io/v1alpha1","kind":"ClusterEncryption",
         "metadata":{"name":"cluster"},"status":{"nodeStatuses":[%s]}}
        """
            .formatted(entry));
  }

  private static Attempt preflight(String what, String body) {
    return new Attempt(what + " of a preflight", PREFLIGHT, "merge-patch+json", body);
  }

  private static String replace(String path, String value) {
    return "{\"op\":\"replace\",\"path\":\"" + path + "\",\"value\":" + value + "}";
  }

  private static String add(String path, String value) {
    return "{\"op\":\"add\",\"path\":\"" + path + "\",\"value\":" + value + "}";
  }

  private static String remove(String path) {
    return "{\"op\":\"remove\",\"path\":\"" + path + "\"}";
  }

  private static boolean isRefused(Api.Answer answer) {
    return answer.status() == 403
        && answer.body().contains("ValidatingAdmissionPolicy 'keyward-node-")
        && answer.body().contains(": a node agent ");
  }

  @ParameterizedTest
  @MethodSource("forbidden")
  void aNodeAgentIsRefusedIfIt(Attempt attempt) {
    JsonNode resource = admin.get(COMPONENT.operatorPath()).orElseThrow();
    JsonNode preflight = admin.get(PREFLIGHT).orElseThrow();
    Api.Answer answer = attempt.send(node, "");
    assertThat(isRefused(answer)).as(answer.toString()).isTrue();
    assertThat(admin.get(COMPONENT.operatorPath())).contains((ObjectNode) resource);
    assertThat(admin.get(PREFLIGHT)).contains((ObjectNode) preflight);
  }

  /// Otherwise something else refused what the policies are there for.
  @Test
  void withoutThePoliciesNothingElseRefusesIt() {
    List<String> names = List.of("keyward-node-agent", "keyward-node-preflight");
    List<ObjectNode> bindings =
        names.stream()
            .map(name -> POLICIES + "validatingadmissionpolicybindings/" + name)
            .map(path -> admin.get(path).orElseThrow())
            .toList();
    bindings.forEach(one -> admin.delete(ObjectPath.of(one), one));
    try {
      for (Attempt one : forbidden().toList()) {
        assertThat(becomes(() -> one.send(node, "dryRun=All").isOk())).as(one.what()).isTrue();
      }
    } finally {
      for (ObjectNode one : bindings) {
        one.withObject("/metadata").remove(List.of("resourceVersion", "uid", "managedFields"));
        admin.create(POLICIES + "validatingadmissionpolicybindings", one);
      }
      assertThat(
              becomes(() -> forbidden().allMatch(one -> isRefused(one.send(node, "dryRun=All")))))
          .isTrue();
    }
  }

  @Test
  void aNodeAgentWritesItsOwnEntryAndItsOwnReports() {
    var failure = new NodeFailure(2, NodeFailure.Kind.NOT_READY, "why");
    node.apply(STATUS, "keyward-node-agent-a", report("a", Optional.of(failure)));
    node.apply(STATUS, "keyward-node-agent-a", report("a", Optional.empty()));
    node.apply(STATUS, "kms-health-reporter-a", reports("a", 2));
    JsonNode seen = admin.get(COMPONENT.operatorPath()).orElseThrow();
    assertThat(seen.at("/status/nodeStatuses/0/installedRevision").asInt()).isEqualTo(1);
    assertThat(seen.at("/status/nodeStatuses/0/targetRevision").asInt()).isEqualTo(1);
    assertThat(seen.at("/status/encryptionStatus/healthReports")).hasSize(3);
    // Without any report, those of this manager are removed.
    node.apply(STATUS, "kms-health-reporter-a", COMPONENT.status().reports(List.of()));
    seen = admin.get(COMPONENT.operatorPath()).orElseThrow();
    assertThat(seen.at("/status/encryptionStatus/healthReports")).hasSize(2);
  }

  @Test
  void theOrderOfEntriesDoesNotMatter() {
    String move =
        "[{\"op\":\"move\",\"from\":\"/status/nodeStatuses/0\",\"path\":\"/status/nodeStatuses/1\"}]";
    Api.Answer answer = patch(node, STATUS, "json-patch+json", move);
    assertThat(answer.isOk()).as(answer.body()).isTrue();
    node.apply(STATUS, "keyward-node-agent-a", report("a", Optional.empty()));
    assertThat(admin.get(COMPONENT.operatorPath()).orElseThrow().at("/status/nodeStatuses"))
        .hasSize(2);
  }

  @Test
  void aNewNodeReportsWhereNobodyHasReportedBefore() {
    Api fresh = cluster.node("new");
    fresh.apply(STATUS, "keyward-node-agent-new", report("new", Optional.empty()));
    fresh.apply(STATUS, "kms-health-reporter-new", reports("new", 1));
    assertThat(admin.get(COMPONENT.operatorPath()).orElseThrow().at("/status/nodeStatuses"))
        .hasSize(3);
    ObjectNode none = Api.JSON.createObjectNode();
    none.putNull("status");
    admin.mergePatch(STATUS, none);
    fresh.apply(STATUS, "keyward-node-agent-new", report("new", Optional.empty()));
    fresh.apply(STATUS, "kms-health-reporter-new", reports("new", 1));
    JsonNode seen = admin.get(COMPONENT.operatorPath()).orElseThrow();
    assertThat(seen.at("/status/nodeStatuses")).hasSize(1);
    assertThat(seen.at("/status/encryptionStatus/healthReports")).hasSize(1);
  }

  @Test
  void aNodeAgentAnswersAPreflight() {
    ObjectNode asked = node.get(PREFLIGHT).orElseThrow();
    node.mergePatch(
        PREFLIGHT, PreflightCodec.answered(asked, "a", PreflightCodec.answer(true, "k", "")));
    assertThat(admin.get(PREFLIGHT).orElseThrow().path("data").has("node.a")).isTrue();
  }

  private static ObjectNode report(String name, Optional<NodeFailure> failure) {
    return COMPONENT
        .status()
        .report(
            NodeStatus.report(
                name,
                true,
                1,
                Optional.of(NOW),
                failure,
                Optional.empty(),
                1,
                Optional.of("0".repeat(64))));
  }

  private static ObjectNode reports(String name, long serial) {
    return COMPONENT
        .status()
        .reports(
            List.of(
                new HealthReport(
                    name,
                    new KeySerial(serial),
                    HealthReport.Status.HEALTHY,
                    NOW,
                    KekId.parse("k"),
                    Optional.empty(),
                    Optional.empty(),
                    Optional.empty(),
                    "")));
  }

  private static ObjectNode json(String text) {
    try {
      return (ObjectNode) Api.JSON.readTree(text);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }
}
