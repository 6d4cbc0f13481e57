package io.keyward.node.agent;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Settings;
import io.keyward.engine.Engine;
import io.keyward.engine.TurnObserver;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import io.keyward.kube.install.Installer;
import io.keyward.kube.install.ObjectPath;
import io.keyward.kube.install.Rights;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.site.KubeSite;
import io.keyward.node.host.HostKind;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;

/// Operator and node agent on a real API server with the rights that `keyward operator install`
/// gives them: all are enough, and each single one is needed. What the operator cannot do, it says.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
public final class RightsIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Installation INSTALLED = Installation.COMMAND_AND_DEPLOYMENT;
  private static final Component COMPONENT = INSTALLED.component();
  private static final String MANAGED = UsesOfRights.MANAGED;
  private static final String NODE = UsesOfRights.NODE;
  private static final Component WITH_NODE =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          COMPONENT.workload(),
          COMPONENT.resources(),
          new TreeSet<>(List.of(NODE)));

  private ControlPlane plane;
  private Path directory;
  private Api admin;
  private Api operator;
  private Api agent;
  private UsesOfRights uses;
  private AuditLog log;

  @BeforeAll
  void start(@TempDir Path temporary) throws IOException {
    directory = temporary;
    log = new AuditLog(directory);
    plane =
        ControlPlane.builder(directory.resolve("plane"))
            .apiServerArguments(log.arguments())
            .start();
    admin = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
    new Installer(admin).install(List.of(COMPONENT), INSTALLED.migrator());
    ObjectNode limit = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "LimitRange");
    limit.putObject("metadata").put("name", "one");
    limit.putObject("spec").putArray("limits");
    admin.create("/api/v1/namespaces/default/limitranges", limit);
    admin.create("/apis/apps/v1/namespaces/kube-system/deployments", deployment());
    operator = as(Rights.OPERATOR);
    agent = as(Rights.NODE_AGENT);
    uses = new UsesOfRights(INSTALLED, admin, operator, agent, directory);
    serveMigrationsOfOpenShift();
  }

  /// Nobody works on what is asked for there.
  private void serveMigrationsOfOpenShift() throws IOException {
    Path definition =
        Path.of("../kube/src/test/resources/io/keyward/kube/migrate/storageversionmigrations.yaml");
    ApiClient client = plane.apiServer(0).client();
    assertThat(
            client
                .postYaml(
                    "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
                    Files.readString(definition))
                .status())
        .isEqualTo(201);
    String all = "/apis/migration.k8s.io/v1alpha1/storageversionmigrations";
    assertThat(Waiting.until(() -> client.get(all).isOk(), Duration.ofSeconds(20))).isTrue();
  }

  /// Instances beside those on nodes. Nobody makes pods of it here.
  private static ObjectNode deployment() throws IOException {
    return (ObjectNode)
        JSON.readTree(
            """
            {"apiVersion":"apps/v1","kind":"Deployment","metadata":{"name":"more"},
             "spec":{"selector":{"matchLabels":{"app":"more"}},
              "template":{"metadata":{"labels":{"app":"more"}},
               "spec":{"containers":[{"name":"kube-apiserver","image":"x"}]}}}}
            """);
  }

  @AfterAll
  void stop() {
    List.of(agent, operator, admin).forEach(Api::close);
    plane.close();
  }

  private Api as(String account) throws IOException {
    ObjectNode ask = JSON.createObjectNode().put("apiVersion", "authentication.k8s.io/v1");
    ask.put("kind", "TokenRequest").putObject("spec").put("expirationSeconds", 3600);
    String token =
        admin
            .create("/api/v1/namespaces/kube-system/serviceaccounts/" + account + "/token", ask)
            .at("/status/token")
            .asText();
    String ca =
        Base64.getEncoder().encodeToString(Files.readAllBytes(plane.apiServer(0).caCertificate()));
    Path file = directory.resolve(account);
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "%s", certificate-authority-data: %s}}]
        users: [{name: u, user: {token: %s}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(plane.apiServer(0).url(), ca, token));
    return Api.connect(Optional.of(file), Optional.empty());
  }

  /// The API server's own log says which rule allowed each request.
  @ParameterizedTest
  @EnumSource
  void allRightsAreEnoughAndEachIsUsed(Installation installed) throws Exception {
    var here = new UsesOfRights(installed, admin, operator, agent, directory);
    give(installed);
    int first = log.size();
    here.operate();
    here.lead();
    here.serveNode();
    here.tidy();
    List<JsonNode> requests = log.since(first);
    assertThat(requests).filteredOn(AuditLog::isForbidden).isEmpty();
    assertThat(installed.parts())
        .isNotEmpty()
        .filteredOn(part -> requests.stream().noneMatch(part::isUsedBy))
        .isEmpty();
    give(INSTALLED);
  }

  @Tag("long")
  @ParameterizedTest
  @EnumSource
  void allRightsAreEnoughAndEachIsNeeded(Installation installed) throws Exception {
    var here = new UsesOfRights(installed, admin, operator, agent, directory);
    give(installed);
    here.operate();
    here.lead();
    here.serveNode();
    var unused = new ArrayList<RightPart>();
    for (RightPart part : installed.parts()) {
      if (!breaksWithout(part, here)) {
        unused.add(part);
      }
    }
    assertThat(unused).isEmpty();
    here.operate();
    here.serveNode();
    here.tidy();
    give(INSTALLED);
  }

  /// And takes what another one needs.
  private void give(Installation installed) {
    installed.rights().forEach(this::set);
    RightPart.of(installed.rights()).forEach(part -> assertThat(becomes(part, true)).isTrue());
  }

  @Test
  void aMissingRightIsSaidAndTheWorkGoesOnWhenItIsBack() {
    ObjectNode role =
        INSTALLED.rights().stream()
            .filter(one -> ObjectPath.of(one).contains("openshift-config-managed/roles/"))
            .findFirst()
            .orElseThrow();
    ObjectNode none = role.deepCopy();
    none.putArray("rules");
    set(none);
    var list = new RightPart(role, 0, "verbs", 1);
    assertThat(becomes(list, false)).isTrue();
    try (var _ = Engine.of(List.of(site(COMPONENT, FeatureGates.DEFAULT)), TurnObserver.NOBODY)) {
      awaitCondition("EncryptionControllerDegraded", "True", "/secrets", "403");
      set(role);
      awaitCondition("EncryptionControllerDegraded", "False", "");
    } finally {
      set(role);
      assertThat(becomes(list, true)).isTrue();
    }
  }

  @Test
  void whatCannotBeDoneIsSaid() {
    uses.tidy();
    playNode();
    String path = MANAGED + "secrets/encryption-key-kube-apiserver-1";
    ObjectNode foreign = JSON.createObjectNode().put("apiVersion", "v1").put("kind", "Secret");
    foreign.putObject("metadata").put("name", "encryption-key-kube-apiserver-1");
    JsonNode before = admin.create(MANAGED + "secrets", foreign);
    want("{\"type\":\"aescbc\",\"kms\":null}");
    try (var loop =
        Engine.of(List.of(site(WITH_NODE, FeatureGates.DEFAULT)), TurnObserver.NOBODY)) {
      awaitCondition(
          "EncryptionKeyControllerDegraded",
          "True",
          "encryption-key-kube-apiserver-1 blocks a key: it lacks the label",
          "add the label if it holds that key, otherwise remove its finalizers and delete it");
      assertThat(admin.get(path)).contains((ObjectNode) before);
      admin.delete(path, before);
      loop.wakeAll();
      awaitCondition("EncryptionKeyControllerDegraded", "False", "");
      assertThat(admin.get(path).orElseThrow().at("/metadata/labels").isEmpty()).isFalse();
    }
    uses.tidy();
    playNode();
    want(
        "{\"type\":\"KMS\",\"kms\":{\"type\":\"External\","
            + "\"external\":{\"endpoint\":\"unix:///run/x.sock\"}}}");
    try (var _ =
        Engine.of(List.of(site(WITH_NODE, new FeatureGates(false))), TurnObserver.NOBODY)) {
      awaitCondition(
          "EncryptionKeyControllerDegraded",
          "True",
          "the feature gate KMSEncryptionProvider is off",
          "ask for another mode");
    }
    want("{\"type\":\"identity\",\"kms\":null}");
  }

  @Test
  void aReportThatNobodyUnderstandsIsSaid() {
    String reports =
        """
        {"status":{"encryptionStatus":{"healthReports":[{"nodeName":"a","keyID":"mine",
          "status":"Healthy","lastCheckedTime":"2026-01-02T03:04:05Z","remoteKeyID":"k"}]}}}
        """;
    patchStatus(reports);
    try (var loop =
        Engine.of(List.of(site(COMPONENT, FeatureGates.DEFAULT)), TurnObserver.NOBODY)) {
      awaitCondition("KMSPluginDegraded", "True", "node a names no key by its number");
      patchStatus("{\"status\":{\"encryptionStatus\":null}}");
      loop.wakeAll();
      awaitCondition("KMSPluginDegraded", "False", "");
    }
  }

  private void patchStatus(String json) {
    try {
      admin.mergePatch(COMPONENT.operatorPath() + "/status", (ObjectNode) JSON.readTree(json));
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  @Test
  void anOldApiServerIsSaid() throws IOException {
    try (var front = new FakeOldServer(plane.apiServer(0).client());
        var through = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.of(front.url()));
        var _ =
            Engine.of(
                List.of(site(through, COMPONENT, FeatureGates.DEFAULT, InstantSource.system())),
                TurnObserver.NOBODY)) {
      awaitCondition(
          "EncryptionControllerDegraded", "True", "Kubernetes 1.28", "upgrade the cluster first");
    }
    try (var _ = Engine.of(List.of(site(COMPONENT, FeatureGates.DEFAULT)), TurnObserver.NOBODY)) {
      awaitCondition("EncryptionControllerDegraded", "False", "");
    }
  }

  @Test
  void aClockThatJumpsDoesNoHarm() throws InterruptedException {
    var jump = new AtomicReference<>(Duration.ZERO);
    uses.tidy();
    playNode();
    want("{\"type\":\"aescbc\",\"kms\":null}");
    InstantSource clock = () -> Instant.now().plus(jump.get());
    try (var loop =
        Engine.of(
            List.of(site(operator, WITH_NODE, FeatureGates.DEFAULT, clock)), TurnObserver.NOBODY)) {
      String key = MANAGED + "secrets/encryption-key-kube-apiserver-";
      assertThat(Waiting.until(() -> admin.get(key + 1).isPresent(), Duration.ofSeconds(20)))
          .isTrue();
      for (long days : new long[] {400, -400, 0}) {
        jump.set(Duration.ofDays(days));
        turns(loop);
        String settled = version();
        turns(loop);
        assertThat(version()).as("nothing is written again and again").isEqualTo(settled);
        awaitCondition("EncryptionControllerDegraded", "False", "");
        awaitCondition("EncryptionKeyControllerDegraded", "False", "");
        assertThat(admin.get(key + 1)).isPresent();
        // The first one is under way, however old it seems to be.
        assertThat(admin.get(key + 2)).isEmpty();
      }
    } finally {
      want("{\"type\":\"identity\",\"kms\":null}");
      uses.tidy();
    }
  }

  /// Nothing here restarts the API server, so the agent runs its command again when it has lost its
  /// patience: by a clock that no jump of the wall clock moves, and no earlier.
  @Test
  void anAgentLosesItsPatienceByAClockThatNobodyCanSet() throws Exception {
    Path asked = directory.resolve("asked");
    var nanos = new AtomicLong(Long.MAX_VALUE - 1);
    NodeAgent patient =
        uses.nodeAgent(
            new HostKind.Command(
                directory.resolve("patient"), List.of("sh", "-c", "echo again >> " + asked)),
            nanos::get);
    for (int i = 0; i < 3; i++) {
      patient.step();
    }
    assertThat(Files.readAllLines(asked)).hasSize(1);
    nanos.addAndGet(Duration.ofSeconds(5).toNanos());
    patient.step();
    assertThat(Files.readAllLines(asked)).hasSize(2);
  }

  /// An API server learns of a permission a moment after it was given.
  @Test
  void aPermissionThatComesLateIsNoFailureOfARevision() throws Exception {
    RightPart part =
        RightPart.of(INSTALLED.rights()).stream()
            .filter(one -> one.isAgents() && one.toString().contains("\"secrets\""))
            .findFirst()
            .orElseThrow();
    Path file = directory.resolve("late");
    var nanos = new AtomicLong(Long.MAX_VALUE - 1);
    NodeAgent early = uses.nodeAgent(new HostKind.Command(file, List.of("true")), nanos::get);
    set(part.without());
    try {
      assertThat(becomes(part, false)).isTrue();
      assertThat(catchThrowable(early::step)).hasMessageContaining("403");
      assertThat(failed()).isZero();
      nanos.addAndGet(Duration.ofSeconds(10).toNanos());
      early.step();
      assertThat(failed()).isEqualTo(1);
    } finally {
      set(part.role());
      assertThat(becomes(part, true)).isTrue();
    }
    early.step();
    assertThat(file).exists();
  }

  private int failed() {
    return admin
        .get(COMPONENT.operatorPath())
        .orElseThrow()
        .at("/status/nodeStatuses/0/lastFailedRevision")
        .asInt(0);
  }

  private static void turns(Engine loop) throws InterruptedException {
    for (int i = 0; i < 4; i++) {
      loop.wakeAll();
      Thread.sleep(Duration.ofMillis(400));
    }
  }

  private String version() {
    return admin
        .get(COMPONENT.operatorPath())
        .orElseThrow()
        .at("/metadata/resourceVersion")
        .asText();
  }

  private KubeSite site(Component component, FeatureGates gates) {
    return site(operator, component, gates, InstantSource.system());
  }

  private static KubeSite site(
      Api api, Component component, FeatureGates gates, InstantSource clock) {
    var migrator = Migrator.of(Migrator.Kind.OURS, api, component.home(), clock, _ -> {});
    return new KubeSite(
        api, component, Settings.DEFAULT, clock, migrator, gates, KubeSite.Access.ACTS);
  }

  /// What a node agent says of an API server that runs without encryption.
  private void playNode() {
    ObjectNode status = JSON.createObjectNode();
    status
        .putObject("status")
        .put("latestAvailableRevision", 0)
        .putArray("nodeStatuses")
        .addObject()
        .put("nodeName", NODE)
        .put("ready", true)
        .put("currentRevision", 0)
        .put("startedTime", "2026-01-02T03:04:05Z");
    admin.mergePatch(COMPONENT.operatorPath() + "/status", status);
  }

  private void want(String encryption) {
    try {
      ObjectNode patch = JSON.createObjectNode();
      patch.putObject("spec").set("encryption", JSON.readTree(encryption));
      admin.mergePatch("/apis/config.openshift.io/v1/apiservers/cluster", patch);
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  private void awaitCondition(String type, String status, String... words) {
    var last = new AtomicReference<JsonNode>(JSON.createObjectNode());
    boolean seen =
        Waiting.until(
            () -> {
              for (JsonNode one :
                  admin.get(COMPONENT.operatorPath()).orElseThrow().at("/status/conditions")) {
                if (one.path("type").asText().equals(type)) {
                  last.set(one);
                }
              }
              return last.get().path("status").asText().equals(status)
                  && Arrays.stream(words)
                      .allMatch(word -> last.get().path("message").asText("").contains(word));
            },
            Duration.ofSeconds(60));
    assertThat(seen).as(last.get().toString()).isTrue();
  }

  /// Only a request that the API server itself forbids shows that the part is needed; any other
  /// failure is one of the test.
  private boolean breaksWithout(RightPart part, UsesOfRights here) {
    set(part.without());
    // What another rule gives as well is not needed in this one.
    int first = log.size();
    Throwable failure =
        becomes(part, false)
            ? catchThrowable(() -> {
              if (part.isAgents()) {
                here.serveNode();
              } else if (part.isOfLeading()) {
                here.tidy();
                here.lead();
              } else {
                here.operate();
              }
            })
            : null;
    set(part.role());
    assertThat(becomes(part, true)).as(part.toString()).isTrue();
    boolean forbidden = log.since(first).stream().anyMatch(AuditLog::isForbidden);
    if (failure != null && !forbidden) {
      throw new AssertionError("failed without " + part + ", but nothing was forbidden", failure);
    }
    return failure != null;
  }

  private void set(ObjectNode right) {
    admin.apply(ObjectPath.of(right), "keyward-install", right);
  }

  /// Rights take a moment to become true.
  private boolean becomes(RightPart part, boolean given) {
    return Waiting.until(
        () ->
            admin
                    .create("/apis/authorization.k8s.io/v1/subjectaccessreviews", part.review())
                    .at("/status/allowed")
                    .asBoolean()
                == given,
        Duration.ofSeconds(20));
  }
}
