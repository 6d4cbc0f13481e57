package io.keyward.kube.migrate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.AccountToken;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.migration.MigrationDecision.Start;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.Installer;
import io.keyward.kube.install.Rights;
import io.keyward.testbed.ApiServer;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInstance;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The account of the migrator on a real API server: it migrates Secrets and a custom resource, and
/// changes none of them.
@TestInstance(TestInstance.Lifecycle.PER_CLASS)
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
public final class MigratorRightsIT {
  private static final Resource SECRETS = new Resource("", "secrets");
  private static final Resource WIDGETS = new Resource("example.com", "widgets");
  private static final String POLICY =
      "/apis/admissionregistration.k8s.io/v1/validatingadmissionpolicybindings/keyward-migrator";
  private static final String MERGE = "application/merge-patch+json";
  private static final String JSON = "application/json";
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final int FORBIDDEN = 403;

  /// Larger than a page at first, so that a token is asked for between pages.
  private static final int OBJECTS = 250;

  private static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "keyward-revisions",
          "clusterencryptions",
          Workload.KUBEADM,
          new TreeSet<>(List.of(SECRETS, WIDGETS)),
          new TreeSet<>());

  private final List<AutoCloseable> open = new ArrayList<>();
  private ControlPlane plane;
  private Api admin;
  private Api operator;
  private Api migrator;

  @BeforeAll
  void start(@TempDir Path directory) throws IOException {
    plane = ControlPlane.builder(directory.resolve("plane")).create();
    open.add(plane);
    plane.buildPrograms();
    ApiServer server = plane.apiServer(0);
    server.writeEncryptionConfig(config("{name: '1', secret: " + key(1) + "}"));
    plane.start();
    try (var before = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty())) {
      new Installer(before).install(List.of(COMPONENT), Migrator.Kind.OURS);
      before.create("/api/v1/namespaces", ObjectMeta.fresh("v1", "Namespace", "m"));
      widgets(before);
      for (int i = 0; i < OBJECTS; i++) {
        before.create("/api/v1/namespaces/m/secrets", secret("s-%03d".formatted(i), "value"));
      }
      // As large as an object can be: what a policy may cost is limited.
      before.create("/api/v1/namespaces/m/secrets", secret("large", "x".repeat(700_000)));
      for (int i = 0; i < 3; i++) {
        before.create("/apis/example.com/v1/namespaces/m/widgets", widget("w-" + i));
      }
    }
    server.stop();
    server.writeEncryptionConfig(
        config("{name: '2', secret: " + key(2) + "}, {name: '1', secret: " + key(1) + "}"));
    server.startReady();
    admin = opened(Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty()));
    operator = account(Rights.OPERATOR);
    migrator = account(Rights.MIGRATOR);
    assertThat(
            Waiting.until(
                () ->
                    patch(migrator, "s-000?dryRun=All", "{\"immutable\":true}").status()
                        == FORBIDDEN,
                PATIENCE))
        .isTrue();
  }

  @AfterAll
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  private Api opened(Api api) {
    open.add(api);
    return api;
  }

  private Api account(String name) {
    ObjectNode answer =
        admin.create(
            "/api/v1/namespaces/keyward-system/serviceaccounts/" + name + "/token",
            AccountToken.request(Duration.ofHours(1)));
    String token = AccountToken.read(answer).orElseThrow().value();
    return opened(admin.as(() -> token));
  }

  @Test
  @Order(1)
  void theOperatorMigratesWithTokensOfTheAccount() throws IOException {
    for (Resource resource : List.of(SECRETS, WIDGETS)) {
      assertThat(keys(resource)).containsExactly("1");
      var ours = Migrator.of(Migrator.Kind.OURS, operator, "keyward-system", clock(), _ -> {});
      assertThat(finish(ours, resource)).isInstanceOf(State.Succeeded.class);
      assertThat(keys(resource)).containsExactly("2");
    }
    assertThat(finish(new OwnMigrator(operator, clock(), _ -> {}), SECRETS))
        .as("without the account")
        .isInstanceOfSatisfying(
            State.Failed.class, failed -> assertThat(failed.message()).contains("403"));
  }

  /// Every token counts as old at once, so that there is a new one for each page.
  @Test
  void aLongMigrationRenewsItsToken() {
    long[] now = {0};
    long before = tokenRequests();
    try (var account =
        MigratorAccount.in(
            "keyward-system", operator, () -> now[0] += Duration.ofMinutes(40).toNanos())) {
      assertThat(finish(new OwnMigrator(operator, account, clock(), _ -> {}), SECRETS))
          .isInstanceOf(State.Succeeded.class);
    }
    // One at the beginning, and one for each page of at most a hundred objects at first.
    assertThat(tokenRequests() - before).isGreaterThanOrEqualTo(3);
  }

  private long tokenRequests() {
    return admin
        .text("/metrics")
        .lines()
        .filter(line -> line.startsWith("apiserver_request_total{"))
        .filter(line -> line.contains("subresource=\"token\""))
        .mapToLong(line -> Long.parseLong(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  @Test
  void aTokenThatTheServerRejectsIsReplaced() {
    long[] now = {0};
    try (var account = MigratorAccount.in("keyward-system", operator, () -> now[0])) {
      Api first = account.api();
      ObjectNode before = accountObject();
      // Tokens are of one very object: of another one with the same name they are worth nothing.
      admin.delete(path("keyward-migrator"), before);
      before.withObject("/metadata").remove(List.of("uid", "resourceVersion", "managedFields"));
      admin.create("/api/v1/namespaces/keyward-system/serviceaccounts", before);
      String list = "/api/v1/namespaces/m/secrets?limit=1";
      assertThat(
              Waiting.until(
                  () -> first.once("GET", list, JSON, JSON, "").status() == 401, PATIENCE))
          .isTrue();
      account.rejected();
      assertThat(first.once("GET", list, JSON, JSON, "").status()).as("still fresh").isEqualTo(401);
      now[0] = Duration.ofSeconds(11).toNanos();
      account.rejected();
      assertThat(first.once("GET", list, JSON, JSON, "").status()).isEqualTo(200);
    } finally {
      migrator = account(Rights.MIGRATOR);
    }
  }

  private ObjectNode accountObject() {
    return admin.get(path("keyward-migrator")).orElseThrow();
  }

  private static String path(String account) {
    return "/api/v1/namespaces/keyward-system/serviceaccounts/" + account;
  }

  @Test
  void aMissingAccountIsReportedWithItsRemedy() {
    try (var account = MigratorAccount.in("default", admin)) {
      assertThat(finish(new OwnMigrator(operator, account, clock(), _ -> {}), SECRETS))
          .isInstanceOfSatisfying(
              State.Failed.class,
              failed ->
                  assertThat(failed.message())
                      .contains("ServiceAccount keyward-migrator in default is missing")
                      .contains("keyward operator install"));
    }
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"data":{"k":"eA=="}}
          {"data":null}
          {"data":{"more":"eA=="}}
          {"stringData":{"k":"x"}}
          {"immutable":true}
          {"metadata":{"labels":{"x":"y"}}}
          {"metadata":{"labels":{"kept":null}}}
          {"metadata":{"annotations":{"x":"y"}}}
          {"metadata":{"finalizers":["example.com/x"]}}
          {"metadata":{"ownerReferences":[{"apiVersion":"v1","kind":"Pod","name":"p","uid":"u"}]}}
          """)
  void theMigratorDoesNotChangeASecret(String body) {
    JsonNode before = admin.get(secretPath("s-001")).orElseThrow();
    Api.Answer answer = patch(migrator, "s-001", body);
    assertThat(answer.status()).isEqualTo(FORBIDDEN);
    assertThat(answer.body()).contains("ValidatingAdmissionPolicy 'keyward-migrator'");
    assertThat(admin.get(secretPath("s-001"))).contains((ObjectNode) before);
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          {"spec":{"size":2}}
          {"spec":{"more":"x"}}
          {"spec":null}
          {"metadata":{"labels":{"x":"y"}}}
          {"metadata":{"finalizers":["example.com/x"]}}
          """)
  void theMigratorDoesNotChangeACustomResource(String body) {
    String path = "/apis/example.com/v1/namespaces/m/widgets/w-0";
    JsonNode before = admin.get(path).orElseThrow();
    Api.Answer answer = migrator.once("PATCH", path, MERGE, JSON, body);
    assertThat(answer.status()).isEqualTo(FORBIDDEN);
    assertThat(answer.body()).contains("ValidatingAdmissionPolicy 'keyward-migrator'");
    assertThat(admin.get(path)).contains((ObjectNode) before);
  }

  /// Otherwise something else refused what the policy is there for.
  @Test
  void withoutThePolicyNothingElseRefusesIt() {
    ObjectNode binding = admin.get(POLICY).orElseThrow();
    admin.delete(POLICY, binding);
    String change = "{\"metadata\":{\"labels\":{\"x\":\"y\"}}}";
    try {
      assertThat(Waiting.until(() -> patch(migrator, "s-002?dryRun=All", change).isOk(), PATIENCE))
          .isTrue();
    } finally {
      binding.withObject("/metadata").remove(List.of("uid", "resourceVersion", "managedFields"));
      admin.create(POLICY.substring(0, POLICY.lastIndexOf('/')), binding);
      assertThat(
              Waiting.until(
                  () -> patch(migrator, "s-002?dryRun=All", change).status() == FORBIDDEN,
                  PATIENCE))
          .isTrue();
    }
  }

  @Test
  void theMigratorCreatesAndDeletesNothing() {
    String all = "/api/v1/namespaces/m/secrets";
    assertThat(migrator.once("POST", all, JSON, JSON, secret("new", "x").toString()).status())
        .isEqualTo(FORBIDDEN);
    assertThat(migrator.once("DELETE", all + "/s-003", JSON, JSON, "{}").status())
        .isEqualTo(FORBIDDEN);
    String applied = all + "/new?fieldManager=x";
    ObjectNode fresh = secret("new", "x");
    assertThat(
            migrator
                .once("PATCH", applied, "application/apply-patch+yaml", JSON, fresh.toString())
                .status())
        .isEqualTo(FORBIDDEN);
    assertThat(migrator.once("GET", all + "/s-003", JSON, JSON, "").status())
        .as("it lists, which the migration needs, and gets nothing")
        .isEqualTo(FORBIDDEN);
    assertThat(migrator.once("GET", "/api/v1/namespaces/m/configmaps", JSON, JSON, "").status())
        .isEqualTo(FORBIDDEN);
  }

  @Test
  void aPatchThatChangesNothingPasses() {
    JsonNode seen = admin.get(secretPath("s-004")).orElseThrow();
    Api.Answer answer = patch(migrator, "s-004", ObjectMeta.unchanged(seen).toString());
    assertThat(answer.status()).as(answer.body()).isEqualTo(200);
    assertThat(patch(migrator, "s-004", "{\"data\":{\"k\":\"dmFsdWU=\"}}").isOk()).isTrue();
    JsonNode large = admin.get(secretPath("large")).orElseThrow();
    answer = patch(migrator, "large", ObjectMeta.unchanged(large).toString());
    assertThat(answer.status()).isEqualTo(200);
  }

  private static Api.Answer patch(Api api, String name, String body) {
    return api.once("PATCH", secretPath(name), MERGE, JSON, body);
  }

  private static String secretPath(String name) {
    return "/api/v1/namespaces/m/secrets/" + name;
  }

  private static InstantSource clock() {
    return InstantSource.system();
  }

  /// From the beginning to the end. The records are the operator's.
  private State finish(Migrator started, Resource resource) {
    try (var one = started) {
      var before = Optional.ofNullable(one.look(admin, COMPONENT).get(resource));
      before.ifPresent(old -> admin.delete(old.path(), old.json()));
      var target = new MigrationTarget("2", Optional.empty());
      one.start(COMPONENT, new Start(resource, target, "w", 1), Optional.empty());
      assertThat(
              Waiting.until(
                  () -> {
                    one.tend(COMPONENT, one.look(admin, COMPONENT));
                    return !(state(one, resource) instanceof State.Running);
                  },
                  PATIENCE))
          .isTrue();
      return state(one, resource);
    }
  }

  private State state(Migrator one, Resource resource) {
    return Optional.ofNullable(one.look(admin, COMPONENT).get(resource))
        .orElseThrow()
        .status()
        .state();
  }

  private SortedSet<String> keys(Resource resource) throws IOException {
    String prefix =
        "/registry/" + (resource.group().isEmpty() ? "" : resource.group() + "/") + resource.name();
    JsonNode stored =
        Api.JSON.readTree(plane.etcdctl("get", "--prefix", prefix + "/m/", "-w", "json"));
    var keys = new TreeSet<String>();
    for (JsonNode one : stored.path("kvs")) {
      keys.add(new String(one.path("value").binaryValue(), ISO_8859_1).split(":", 6)[4]);
    }
    return keys;
  }

  private static void widgets(Api api) throws IOException {
    api.create(
        "/apis/apiextensions.k8s.io/v1/customresourcedefinitions",
        (ObjectNode)
            Api.JSON.readTree(
                """
                {"apiVersion":"apiextensions.k8s.io/v1","kind":"CustomResourceDefinition",
                 "metadata":{"name":"widgets.example.com"},
                 "spec":{"group":"example.com","scope":"Namespaced",
                  "names":{"plural":"widgets","kind":"Widget","singular":"widget"},
                  "versions":[{"name":"v1","served":true,"storage":true,
                   "subresources":{"status":{}},
                   "schema":{"openAPIV3Schema":{"type":"object","properties":{
                     "spec":{"type":"object","x-kubernetes-preserve-unknown-fields":true,
                      "properties":{"color":{"type":"string","default":"red"}}}}}}}]}}
                """));
    assertThat(
            Waiting.until(
                () -> api.get("/apis/example.com/v1/namespaces/m/widgets").isPresent(), PATIENCE))
        .isTrue();
  }

  private static ObjectNode widget(String name) {
    ObjectNode json = ObjectMeta.fresh("example.com/v1", "Widget", name);
    json.putObject("spec").put("size", 1).putArray("parts").addObject().put("weight", 1.5);
    return json;
  }

  private static ObjectNode secret(String name, String value) {
    ObjectNode json = ObjectMeta.fresh("v1", "Secret", name);
    json.withObject("/metadata").putObject("labels").put("kept", "yes");
    String encoded = Base64.getEncoder().encodeToString(value.getBytes(UTF_8));
    json.putObject("data").put("k", encoded);
    return json;
  }

  private static String key(int serial) {
    var bytes = new byte[32];
    bytes[0] = (byte) serial;
    return Base64.getEncoder().encodeToString(bytes);
  }

  private static String config(String keys) {
    return """
    apiVersion: apiserver.config.k8s.io/v1
    kind: EncryptionConfiguration
    resources:
    - resources: [secrets, widgets.example.com]
      providers:
      - aescbc: {keys: [%s]}
      - identity: {}
    """
        .formatted(keys);
  }
}
