package io.keyward.kube.migrate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.WireNames;
import io.keyward.codec.migration.MigrationRecord;
import io.keyward.core.migration.MigrationDecision.Start;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.Installer;
import io.keyward.kube.site.Watches;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ApiServer;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.StorageVersionMigrator;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeMap;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// Every migrator on one real API server whose keys change under it. What counts is read from etcd.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public final class MigratorIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Resource SECRETS = new Resource("", "secrets");
  private static final Resource CONFIG_MAPS = new Resource("", "configmaps");
  private static final Resource QUOTAS = new Resource("", "resourcequotas");
  private static final Resource LIMITS = new Resource("", "limitranges");
  private static final Resource ACCOUNTS = new Resource("", "serviceaccounts");
  private static final Resource REVIEWS = new Resource("authentication.k8s.io", "tokenreviews");
  private static final Map<Resource, String> KINDS =
      Map.of(
          SECRETS,
          "Secret",
          CONFIG_MAPS,
          "ConfigMap",
          QUOTAS,
          "ResourceQuota",
          LIMITS,
          "LimitRange",
          ACCOUNTS,
          "ServiceAccount");
  private static final String CONTROLLER = "storage-version-migrator";
  private static final int OBJECTS = 160;
  private static final int FIRST_PAGE = 100;
  private static final Duration PATIENCE = Duration.ofSeconds(90);
  private static final String NAMESPACE = "/api/v1/namespaces/m/";
  private static final String RECORD =
      "/api/v1/namespaces/openshift-config-managed/configmaps/"
          + "encryption-migration-core-limitranges.kube-apiserver";
  private static final String DELEGATED =
      "/apis/migration.k8s.io/v1alpha1/storageversionmigrations/"
          + "encryption-migration-core-serviceaccounts.kube-apiserver";
  private static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          Workload.RESTART_COMMAND,
          new TreeSet<>(KINDS.keySet()),
          new TreeSet<>());

  private final List<AutoCloseable> open = new ArrayList<>();
  private ControlPlane plane;
  private ApiClient client;
  private Api api;
  private FakeBusyFront front;
  private Api behindFront;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    plane = ControlPlane.builder(directory.resolve("plane")).controllerManager(true).create();
    open.add(plane);
    plane.buildPrograms();
    ApiServer server = plane.apiServer(0);
    server.writeEncryptionConfig(config(1));
    plane.etcd().startReady();
    server.startReady();
    client = server.client();
    for (String name : List.of("m", "openshift-config-managed")) {
      created("/api/v1/namespaces", "Namespace", name);
    }
    try (var threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < OBJECTS; i++) {
        String name = "s-%03d".formatted(i);
        KINDS.forEach((resource, kind) ->
            threads.execute(() -> created(NAMESPACE + resource.name(), kind, name)));
      }
    }
    server.stop();
    server.writeEncryptionConfig(config(2));
    plane.start();
    api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
    open.add(api);
    front = new FakeBusyFront(client);
    open.add(front);
    behindFront =
        Api.connect(Optional.of(plane.kubeconfig(0)), Optional.of(front.url().toString()));
    open.add(behindFront);
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
      - resources: [secrets, configmaps, resourcequotas, limitranges, serviceaccounts]
        providers:
          - aescbc:
              keys:
    """
        + keys
        + "      - identity: {}\n";
  }

  private void created(String path, String kind, String name) {
    ObjectNode json = JSON.createObjectNode().put("apiVersion", "v1").put("kind", kind);
    json.putObject("metadata").put("name", name);
    if (kind.equals("LimitRange")) {
      json.putObject("spec").putArray("limits");
    }
    assertThat(client.post(path, json.toString()).status()).isEqualTo(201);
  }

  private static Start start(Resource resource, int attempt) {
    return new Start(resource, new MigrationTarget("2", Optional.empty()), "w", attempt);
  }

  private SortedSet<String> keysInUse(Resource resource) throws IOException {
    String prefix = "/registry/" + resource.name() + "/m/";
    JsonNode stored = JSON.readTree(plane.etcdctl("get", "--prefix", prefix, "-w", "json"));
    var keys = new TreeSet<String>();
    for (JsonNode one : stored.path("kvs")) {
      keys.add(new String(one.path("value").binaryValue(), ISO_8859_1).split(":", 6)[4]);
    }
    return keys;
  }

  private Optional<MigrationRecord> look(Migrator migrator, Resource resource) {
    return Optional.ofNullable(migrator.look(api, COMPONENT).get(resource));
  }

  private State state(Migrator migrator, Resource resource) {
    return look(migrator, resource).orElseThrow().status().state();
  }

  private MigrationRecord finish(Migrator migrator, Resource resource) {
    assertThat(
            Waiting.until(
                () -> {
                  migrator.tend(COMPONENT, migrator.look(api, COMPONENT));
                  return !(state(migrator, resource) instanceof State.Running);
                },
                PATIENCE))
        .isTrue();
    return look(migrator, resource).orElseThrow();
  }

  private OwnMigrator ours(Api through) {
    var migrator = new OwnMigrator(through, InstantSource.system(), _ -> {});
    open.add(migrator);
    return migrator;
  }

  @Test
  void oursRewritesEverythingAndSaysSo() throws IOException {
    assertThat(keysInUse(SECRETS)).containsExactly("1");
    Migrator ours = ours(api);
    ours.start(COMPONENT, start(SECRETS, 1), Optional.empty());
    MigrationRecord done = finish(ours, SECRETS);
    assertThat(done.status().state()).isInstanceOf(State.Succeeded.class);
    assertThat(done.progress().done())
        .isEqualTo(done.progress().total())
        .isGreaterThanOrEqualTo(OBJECTS);
    assertThat(done.progress().perSecond()).isPositive();
    assertThat(keysInUse(SECRETS)).containsExactly("2");
    assertThat(
            Waiting.until(
                () ->
                    client
                        .get("/api/v1/namespaces/kube-system/events")
                        .body()
                        .contains("secrets under key 2: " + done.progress().words()),
                PATIENCE))
        .isTrue();
  }

  @Test
  void theInTreeMigratorIsAskedAndBelieved() throws IOException {
    Migrator inTree = Migrator.of(Migrator.Kind.IN_TREE, api, InstantSource.system(), _ -> {});
    inTree.start(COMPONENT, start(CONFIG_MAPS, 1), Optional.empty());
    assertThat(state(inTree, CONFIG_MAPS)).isInstanceOf(State.Running.class);
    // Its cache learns of the present only when something happens.
    assertThat(
            Waiting.until(
                () -> {
                  String path = "/api/v1/namespaces/default/configmaps";
                  client.delete(path + "/nudge");
                  created(path, "ConfigMap", "nudge");
                  return state(inTree, CONFIG_MAPS) instanceof State.Succeeded;
                },
                PATIENCE))
        .isTrue();
    assertThat(keysInUse(CONFIG_MAPS)).containsExactly("2");
    assertThat(look(inTree, CONFIG_MAPS).orElseThrow().status().target())
        .isEqualTo(start(CONFIG_MAPS, 1).target());
  }

  @Test
  void theStorageVersionMigratorIsAskedAndBelieved() throws IOException {
    Migrator migrator =
        Migrator.of(Migrator.Kind.STORAGE_VERSION_MIGRATOR, api, InstantSource.system(), _ -> {});
    // Watched from the beginning, also before anybody serves it.
    var changes = new AtomicInteger();
    new Installer(api).install(List.of(COMPONENT), Migrator.Kind.STORAGE_VERSION_MIGRATOR);
    open.add(
        new Watches(
            api,
            List.of(COMPONENT),
            Migrator.Kind.STORAGE_VERSION_MIGRATOR,
            _ -> changes.incrementAndGet()));
    assertThat(migrator.look(api, COMPONENT)).isEmpty();
    assertThatThrownBy(() -> migrator.start(COMPONENT, start(ACCOUNTS, 1), Optional.empty()))
        .hasMessageContaining("does not serve migration.k8s.io/v1alpha1")
        .hasMessageContaining("install the kube-storage-version-migrator");
    try (var definition = MigratorIT.class.getResourceAsStream("storageversionmigrations.yaml")) {
      String yaml = new String(definition.readAllBytes(), UTF_8);
      String definitions = "/apis/apiextensions.k8s.io/v1/customresourcedefinitions";
      assertThat(client.postYaml(definitions, yaml).status()).isEqualTo(201);
    }
    String all = DELEGATED.substring(0, DELEGATED.lastIndexOf('/'));
    assertThat(Waiting.until(() -> client.get(all).isOk(), PATIENCE)).isTrue();

    migrator.start(COMPONENT, start(ACCOUNTS, 1), Optional.empty());
    JsonNode asked = JSON.readTree(client.get(DELEGATED).body());
    assertThat(asked.at("/spec/resource/version").asText()).isEqualTo("v1");
    assertThat(asked.at("/spec/resource/resource").asText()).isEqualTo("serviceaccounts");
    assertThat(asked.at("/metadata/annotations").path(WireNames.WRITE_KEY).asText()).isEqualTo("2");
    assertThat(state(migrator, ACCOUNTS)).isInstanceOf(State.Running.class);
    // Nobody can list these. What else fails, a missing right too, the controller tries for ever.
    migrator.start(COMPONENT, start(REVIEWS, 1), Optional.empty());

    for (Resource one :
        List.of(
            new Resource("migration.k8s.io", "storageversionmigrations"),
            new Resource("migration.k8s.io", "storageversionmigrations/status"),
            ACCOUNTS,
            REVIEWS)) {
      grant(one);
    }
    changes.set(0);
    StorageVersionMigrator controller =
        plane.newStorageVersionMigrator(plane.pki().user(CONTROLLER, Optional.empty()));
    open.add(controller);
    // Kubernetes tells whole seconds.
    Instant begun = Instant.now().minusSeconds(1);
    controller.startReady();
    assertThat(finish(migrator, REVIEWS).status().state())
        .isInstanceOfSatisfying(
            State.Failed.class,
            failed -> {
              assertThat(failed.message()).contains("does not allow this method");
              assertThat(failed.at()).isBetween(begun, Instant.now());
            });
    assertThat(finish(migrator, ACCOUNTS).status().state()).isInstanceOf(State.Succeeded.class);
    assertThat(keysInUse(ACCOUNTS)).containsExactly("2");
    assertThat(Waiting.until(() -> changes.get() > 0, PATIENCE)).as("it is watched").isTrue();

    migrator.start(COMPONENT, start(ACCOUNTS, 2), look(migrator, ACCOUNTS));
    assertThat(finish(migrator, ACCOUNTS).status().attempt()).isEqualTo(2);
    Waiting.until(() -> false, Duration.ofSeconds(1));
    int then = changes.get();
    client.delete(DELEGATED);
    assertThat(Waiting.until(() -> changes.get() > then, PATIENCE)).isTrue();
  }

  /// To the controller of `migration.k8s.io`.
  private void grant(Resource resource) {
    String rbac = "/apis/rbac.authorization.k8s.io/v1/";
    String name = resource.canonical().replace('/', '-');
    String role =
        """
        {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRole","metadata":{"name":"%s"},
        "rules":[{"apiGroups":["%s"],"resources":["%s"],"verbs":["get","list","watch","update"]}]}
        """
            .formatted(name, resource.group(), resource.name());
    assertThat(client.post(rbac + "clusterroles", role).status()).isEqualTo(201);
    String binding =
        """
        {"apiVersion":"rbac.authorization.k8s.io/v1","kind":"ClusterRoleBinding",
        "metadata":{"name":"%1$s"},
        "roleRef":{"apiGroup":"rbac.authorization.k8s.io","kind":"ClusterRole","name":"%1$s"},
        "subjects":[{"apiGroup":"rbac.authorization.k8s.io","kind":"User","name":"%2$s"}]}
        """
            .formatted(name, CONTROLLER);
    assertThat(client.post(rbac + "clusterrolebindings", binding).status()).isEqualTo(201);
  }

  @Test
  void aBusyServerIsGivenItsTimeAndAConflictIsLeftToTheWinner() throws IOException {
    Migrator ours = ours(behindFront);
    ours.start(COMPONENT, start(QUOTAS, 1), Optional.empty());
    String quotas = NAMESPACE + "resourcequotas/";
    front.refuse((path, attempt) -> {
      if (path.equals(quotas + "s-050") && attempt == 1) {
        // Somebody writes between our look and our patch.
        client.mergePatch(path, "{\"metadata\":{\"labels\":{\"won\":\"yes\"}}}");
      }
      return path.equals(quotas + "s-007") && attempt < 3;
    });
    assertThat(finish(ours, QUOTAS).status().state()).isInstanceOf(State.Succeeded.class);
    assertThat(keysInUse(QUOTAS)).containsExactly("2");
    assertThat(client.get(quotas + "s-050").body()).contains("\"won\":\"yes\"");
    assertThat(front.patches().get(quotas + "s-050")).hasSize(1);
    List<Long> tries = front.patches().getOrDefault(quotas + "s-007", List.of());
    assertThat(tries).hasSize(3);
    assertThat(tries.get(1) - tries.get(0)).isGreaterThanOrEqualTo(1_000_000_000L);
  }

  @Test
  @Order(1)
  void afterACrashItGoesOnWhereItStopped() throws IOException {
    assertThat(keysInUse(LIMITS)).containsExactly("1");
    OwnMigrator first = ours(behindFront);
    first.start(COMPONENT, start(LIMITS, 1), Optional.empty());
    String stop = NAMESPACE + "limitranges/s-120";
    front.refuse((path, _) -> path.compareTo(stop) >= 0);
    first.tend(COMPONENT, first.look(api, COMPONENT));
    // The page that hangs does not keep the one before it from being written down.
    assertThat(
            Waiting.until(
                () ->
                    front.patches().containsKey(stop)
                        && look(first, LIMITS).orElseThrow().progress().done() == FIRST_PAGE,
                PATIENCE))
        .isTrue();
    first.close();
    var before = new TreeMap<>(front.patches());

    front.refuse((_, _) -> false);
    assertThat(finish(ours(behindFront), LIMITS).status().state())
        .isInstanceOf(State.Succeeded.class);
    assertThat(keysInUse(LIMITS)).containsExactly("2");
    assertThat(before.size()).isGreaterThan(FIRST_PAGE);
    // The page that was under way, and no more.
    assertThat(front.patches()).hasSize(OBJECTS - FIRST_PAGE);
  }

  @ParameterizedTest
  @ValueSource(booleans = {true, false})
  @Order(2)
  void aListThatCannotBeGoneOnWithIsNotBegunAgain(boolean merelyOld) throws IOException {
    Migrator ours = ours(behindFront);
    ours.start(COMPONENT, start(LIMITS, 1), look(ours, LIMITS));
    ObjectNode patch = JSON.createObjectNode();
    patch
        .putObject("data")
        .put("continue", merelyOld ? expired() : "bm90IGEgdG9rZW4")
        .put("position", "m/s-099")
        .put("done", "100")
        .put("total", "160");
    assertThat(client.mergePatch(RECORD, patch.toString()).isOk()).isTrue();
    front.refuse((_, _) -> false);
    MigrationRecord done = finish(ours, LIMITS);
    assertThat(done.status().state()).isInstanceOf(State.Succeeded.class);
    assertThat(done.progress().done()).isEqualTo(OBJECTS);
    assertThat(front.patches())
        .hasSize(OBJECTS - 100)
        .doesNotContainKey(NAMESPACE + "limitranges/s-099");
  }

  /// As the server itself writes it, of a state that etcd has forgotten.
  private String expired() throws IOException {
    String page = client.get("/api/v1/limitranges?limit=10").body();
    String token = JSON.readTree(page).at("/metadata/continue").asText();
    ObjectNode inside = (ObjectNode) JSON.readTree(Base64.getUrlDecoder().decode(token));
    inside.put("rv", 2).put("start", "m/s-099\0");
    JsonNode now = JSON.readTree(plane.etcdctl("get", "x", "-w", "json"));
    plane.etcdctl("compact", now.at("/header/revision").asText());
    String old =
        Base64.getUrlEncoder().withoutPadding().encodeToString(JSON.writeValueAsBytes(inside));
    assertThat(client.get("/api/v1/limitranges?limit=10&continue=" + old).status()).isEqualTo(410);
    return old;
  }

  @Test
  @Order(3)
  void aSecondAttemptForTheSameKeyKeepsWhatTheFirstDid() {
    Migrator ours = ours(behindFront);
    ours.start(COMPONENT, start(LIMITS, 1), look(ours, LIMITS));
    String failed =
        "{\"data\":{\"state\":\"Failed\",\"detail\":\"no\",\"continue\":\"\",\"position\":\"m/s-119\"}}";
    assertThat(client.mergePatch(RECORD, failed).isOk()).isTrue();
    ours.start(COMPONENT, start(LIMITS, 2), look(ours, LIMITS));
    front.refuse((_, _) -> false);
    assertThat(finish(ours, LIMITS).status().state()).isInstanceOf(State.Succeeded.class);
    assertThat(front.patches()).hasSize(OBJECTS - 120);
  }

  @Test
  void aForeignObjectUnderOurNameIsNamedAndLeftAlone() {
    created(
        "/api/v1/namespaces/openshift-config-managed/configmaps",
        "ConfigMap",
        "encryption-migration-core-services.kube-apiserver");
    Migrator ours = ours(api);
    var start = start(new Resource("", "services"), 1);
    assertThatThrownBy(() -> ours.start(COMPONENT, start, Optional.empty()))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining("encryption-migration-core-services.kube-apiserver")
        .hasMessageContaining("delete or rename it");
  }
}
