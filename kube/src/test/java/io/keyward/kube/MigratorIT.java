package io.keyward.kube;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.migration.MigrationDecision.Start;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.io.TempDir;

/// Every migrator on one real API server whose keys change under it. What counts is read from etcd.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
final class MigratorIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Resource SECRETS = new Resource("", "secrets");
  private static final int OBJECTS = 260;
  private static final int FIRST_PAGE = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String NAMESPACE = "/api/v1/namespaces/m/secrets";
  private static final String RECORD =
      "/api/v1/namespaces/openshift-config-managed/configmaps/encryption-migration-core-secrets";
  private static final String DELEGATED =
      "/apis/migration.k8s.io/v1alpha1/storageversionmigrations/encryption-migration-core-secrets";
  private static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          new TreeSet<>(List.of(SECRETS)),
          new TreeSet<>());

  private final List<AutoCloseable> open = new ArrayList<>();
  private ControlPlane plane;
  private ApiClient client;
  private Api api;
  private FakeBusyFront front;
  private Api behindFront;
  private int key;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    plane =
        ControlPlane.builder(directory.resolve("plane"))
            .controllerManager(true)
            .apiServerArguments("--encryption-provider-config-automatic-reload=true")
            .create();
    open.add(plane);
    plane.apiServer(0).writeEncryptionConfig(config(1));
    key = 1;
    plane.start();
    client = plane.apiServer(0).client();
    api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
    open.add(api);
    front = new FakeBusyFront(client);
    open.add(front);
    behindFront =
        Api.connect(Optional.of(plane.kubeconfig(0)), Optional.of(front.url().toString()));
    open.add(behindFront);
    for (String name : List.of("m", "openshift-config-managed")) {
      created("/api/v1/namespaces", "v1", "Namespace", name);
    }
    try (var threads = Executors.newFixedThreadPool(4)) {
      IntStream.range(0, OBJECTS)
          .forEach(i ->
              threads.execute(() -> created(NAMESPACE, "v1", "Secret", "s-%03d".formatted(i))));
    }
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private static String config(int newest) {
    var keys = new StringBuilder();
    for (int i = newest; i > 0; i--) {
      keys.append("            - {name: \"").append(i).append("\", secret: ");
      keys.append(
          Base64.getEncoder()
              .encodeToString(
                  new byte[] {
                    (byte) i, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19, 20,
                    21, 22, 23, 24, 25, 26, 27, 28, 29, 30, 31
                  }));
      keys.append("}\n");
    }
    return """
    apiVersion: apiserver.config.k8s.io/v1
    kind: EncryptionConfiguration
    resources:
      - resources: [secrets]
        providers:
          - aescbc:
              keys:
    """
        + keys
        + "      - identity: {}\n";
  }

  private void created(String path, String version, String kind, String name) {
    ObjectNode json = JSON.createObjectNode().put("apiVersion", version).put("kind", kind);
    json.putObject("metadata").put("name", name);
    assertThat(client.post(path, json.toString()).status()).isEqualTo(201);
  }

  /// The API server writes with a new key from now on.
  private Start nextKey() throws IOException {
    key++;
    plane.apiServer(0).writeEncryptionConfig(config(key));
    assertThat(
            Waiting.until(
                () -> {
                  client.delete("/api/v1/namespaces/default/secrets/probe");
                  created("/api/v1/namespaces/default/secrets", "v1", "Secret", "probe");
                  return new String(
                          plane.etcdctl(
                              "get", "/registry/secrets/default/probe", "--print-value-only"),
                          ISO_8859_1)
                      .startsWith("k8s:enc:aescbc:v1:" + key + ":");
                },
                PATIENCE))
        .isTrue();
    return start(1);
  }

  private Start start(int attempt) {
    return new Start(
        SECRETS, new MigrationTarget(Integer.toString(key), Optional.empty()), "w", attempt);
  }

  private SortedSet<String> keysInUse() throws IOException {
    JsonNode stored =
        JSON.readTree(plane.etcdctl("get", "--prefix", "/registry/secrets/m/", "-w", "json"));
    var keys = new TreeSet<String>();
    for (JsonNode one : stored.path("kvs")) {
      keys.add(new String(one.path("value").binaryValue(), ISO_8859_1).split(":", 6)[4]);
    }
    return keys;
  }

  private static Optional<MigrationRecord> look(Migrator migrator) {
    return Optional.ofNullable(migrator.look(COMPONENT).get(SECRETS));
  }

  private MigrationRecord finish(Migrator migrator) {
    assertThat(
            Waiting.until(
                () -> {
                  var records = migrator.look(COMPONENT);
                  migrator.tend(COMPONENT, records);
                  return !(look(migrator).orElseThrow().status().state() instanceof State.Running);
                },
                PATIENCE))
        .isTrue();
    return look(migrator).orElseThrow();
  }

  private OwnMigrator ours(Api through) {
    var migrator = new OwnMigrator(through, InstantSource.system(), () -> {});
    open.add(migrator);
    return migrator;
  }

  @Test
  void oursRewritesEverythingAndSaysSo() throws IOException {
    Migrator ours = ours(api);
    ours.start(COMPONENT, nextKey(), look(ours));
    MigrationRecord done = finish(ours);
    assertThat(done.status().state()).isInstanceOf(State.Succeeded.class);
    assertThat(done.progress().done()).isEqualTo(done.progress().total()).isGreaterThan(OBJECTS);
    assertThat(done.progress().perSecond()).isPositive();
    assertThat(keysInUse()).containsExactly(Integer.toString(key));
    assertThat(client.get("/api/v1/namespaces/kube-system/events").body())
        .contains("EncryptionMigrationFinished", done.progress().words());
  }

  @Test
  void theInTreeMigratorIsAskedAndBelieved() throws IOException {
    Migrator inTree = Migrator.of(Migrator.Kind.IN_TREE, api, InstantSource.system(), () -> {});
    inTree.start(COMPONENT, nextKey(), look(inTree));
    assertThat(look(inTree).orElseThrow().status().state()).isInstanceOf(State.Running.class);
    // Its cache learns of the present only when something happens.
    assertThat(
            Waiting.until(
                () -> {
                  client.delete("/api/v1/namespaces/default/secrets/nudge");
                  created("/api/v1/namespaces/default/secrets", "v1", "Secret", "nudge");
                  return look(inTree).orElseThrow().status().state() instanceof State.Succeeded;
                },
                PATIENCE))
        .isTrue();
    assertThat(keysInUse()).containsExactly(Integer.toString(key));
    assertThat(look(inTree).orElseThrow().status().target()).isEqualTo(start(1).target());
  }

  /// No controller for this API can be had here: the test writes the conditions that it would
  /// write.
  @Test
  void theStorageVersionMigratorIsAskedAndBelieved() throws IOException {
    Migrator migrator =
        Migrator.of(Migrator.Kind.STORAGE_VERSION_MIGRATOR, api, InstantSource.system(), () -> {});
    assertThat(look(migrator)).isEmpty();
    assertThatThrownBy(() -> migrator.start(COMPONENT, start(1), Optional.empty()))
        .hasMessageContaining("does not serve migration.k8s.io/v1alpha1")
        .hasMessageContaining("install the kube-storage-version-migrator");
    try (var definition = MigratorIT.class.getResourceAsStream("storageversionmigrations.yaml")) {
      String yaml = new String(definition.readAllBytes(), UTF_8);
      assertThat(
              client
                  .postYaml("/apis/apiextensions.k8s.io/v1/customresourcedefinitions", yaml)
                  .status())
          .isEqualTo(201);
    }
    assertThat(
            Waiting.until(
                () -> client.get(DELEGATED.substring(0, DELEGATED.lastIndexOf('/'))).isOk(),
                PATIENCE))
        .isTrue();

    migrator.start(COMPONENT, start(1), Optional.empty());
    JsonNode asked = JSON.readTree(client.get(DELEGATED).body());
    assertThat(asked.at("/spec/resource/version").asText()).isEqualTo("v1");
    assertThat(asked.at("/spec/resource/resource").asText()).isEqualTo("secrets");
    assertThat(
            asked
                .at("/metadata/annotations")
                .path("encryption.apiserver.operator.openshift.io/write-key")
                .asText())
        .isEqualTo(Integer.toString(key));
    assertThat(look(migrator).orElseThrow().status().state()).isInstanceOf(State.Running.class);

    playController("Failed", "no rights");
    assertThat(look(migrator).orElseThrow().status().state())
        .isEqualTo(new State.Failed(Instant.parse("2026-01-02T03:04:05Z"), "no rights"));

    migrator.start(COMPONENT, start(2), look(migrator));
    assertThat(look(migrator).orElseThrow().status().attempt()).isEqualTo(2);
    playController("Succeeded", "");
    assertThat(look(migrator).orElseThrow().status().state())
        .isEqualTo(new State.Succeeded(Instant.parse("2026-01-02T03:04:05Z")));
  }

  private void playController(String type, String message) {
    ObjectNode patch = JSON.createObjectNode();
    ObjectNode condition = patch.putObject("status").putArray("conditions").addObject();
    condition.put("type", type).put("status", "True").put("message", message);
    condition.put("lastUpdateTime", "2026-01-02T03:04:05Z");
    assertThat(client.mergePatch(DELEGATED + "/status", patch.toString()).isOk()).isTrue();
  }

  @Test
  void aBusyServerIsGivenItsTimeAndAConflictIsLeftToTheWinner() throws IOException {
    Migrator ours = ours(behindFront);
    ours.start(COMPONENT, nextKey(), look(ours));
    front.refuse((path, attempt) -> {
      if (path.endsWith("/s-050") && attempt == 1) {
        // Somebody writes between our look and our patch.
        client.mergePatch(NAMESPACE + "/s-050", "{\"metadata\":{\"labels\":{\"won\":\"yes\"}}}");
      }
      return path.endsWith("7") && attempt < 3;
    });
    assertThat(finish(ours).status().state()).isInstanceOf(State.Succeeded.class);
    assertThat(keysInUse()).containsExactly(Integer.toString(key));
    assertThat(client.get(NAMESPACE + "/s-050").body()).contains("\"won\":\"yes\"");
    assertThat(front.patches().get(NAMESPACE + "/s-050")).hasSize(1);
    List<Long> tries = front.patches().getOrDefault(NAMESPACE + "/s-007", List.of());
    assertThat(tries).hasSize(3);
    assertThat(tries.get(1) - tries.get(0)).isGreaterThanOrEqualTo(1_000_000_000L);
  }

  @Test
  void afterACrashItGoesOnWhereItStopped() throws IOException {
    OwnMigrator first = ours(behindFront);
    first.start(COMPONENT, nextKey(), look(first));
    front.refuse((path, _) -> path.compareTo(NAMESPACE + "/s-150") > 0);
    first.tend(COMPONENT, first.look(COMPONENT));
    assertThat(Waiting.until(() -> front.patches().containsKey(NAMESPACE + "/s-151"), PATIENCE))
        .isTrue();
    first.close();
    var before = new TreeMap<>(front.patches());

    front.refuse((_, _) -> false);
    assertThat(finish(ours(behindFront)).status().state()).isInstanceOf(State.Succeeded.class);
    assertThat(keysInUse()).containsExactly(Integer.toString(key));
    long twice = front.patches().keySet().stream().filter(before::containsKey).count();
    assertThat(before.size()).isGreaterThan(FIRST_PAGE);
    assertThat(twice).isLessThanOrEqualTo(before.size() - FIRST_PAGE + 5);
  }

  @Test
  void aListThatBecameTooOldIsGoneOnWith() throws IOException {
    Migrator ours = ours(behindFront);
    for (String token : List.of(expired(), "bm90IGEgdG9rZW4")) {
      ours.start(COMPONENT, start(1), look(ours));
      ObjectNode patch = JSON.createObjectNode();
      patch
          .putObject("data")
          .put("continue", token)
          .put("position", "m/s-200")
          .put("done", "205")
          .put("total", "265");
      assertThat(client.mergePatch(RECORD, patch.toString()).isOk()).isTrue();
      front.refuse((_, _) -> false);
      assertThat(finish(ours).status().state()).isInstanceOf(State.Succeeded.class);
      assertThat(front.patches()).hasSize(OBJECTS - 201).doesNotContainKey(NAMESPACE + "/s-200");
    }
  }

  /// As the server itself writes it, of a state that etcd has forgotten.
  private String expired() throws IOException {
    String page = client.get("/api/v1/secrets?limit=10").body();
    byte[] token =
        Base64.getUrlDecoder().decode(JSON.readTree(page).at("/metadata/continue").asText());
    ObjectNode inside = (ObjectNode) JSON.readTree(token);
    inside.put("rv", 2).put("start", "m/s-200\0");
    JsonNode now = JSON.readTree(plane.etcdctl("get", "x", "-w", "json"));
    plane.etcdctl("compact", now.at("/header/revision").asText());
    String old =
        Base64.getUrlEncoder().withoutPadding().encodeToString(JSON.writeValueAsBytes(inside));
    assertThat(client.get("/api/v1/secrets?limit=10&continue=" + old).status()).isEqualTo(410);
    return old;
  }

  @Test
  void aSecondAttemptForTheSameKeyKeepsWhatTheFirstDid() {
    Migrator ours = ours(behindFront);
    look(ours).ifPresent(left -> client.delete(left.path()));
    ours.start(COMPONENT, start(1), Optional.empty());
    String failed =
        "{\"data\":{\"state\":\"Failed\",\"detail\":\"no\",\"done\":\"205\",\"position\":\"m/s-200\"}}";
    client.mergePatch(RECORD, failed);
    ours.start(COMPONENT, start(2), look(ours));
    front.refuse((_, _) -> false);
    assertThat(finish(ours).status().state()).isInstanceOf(State.Succeeded.class);
    assertThat(front.patches()).hasSize(OBJECTS - 201);
  }
}
