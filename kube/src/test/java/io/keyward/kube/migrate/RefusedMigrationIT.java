package io.keyward.kube.migrate;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.keyward.core.migration.MigrationDecision.Start;
import io.keyward.core.model.MigrationStatus.State;
import io.keyward.core.model.MigrationTarget;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.testbed.ApiServer;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.pki.TlsContexts;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.InstantSource;
import java.util.Base64;
import java.util.List;
import java.util.Optional;
import java.util.TreeSet;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Objects whose update a real API server answers with 404 or 409 although they are still there:
/// the migration fails and names them, since they are still stored under the old key.
public final class RefusedMigrationIT {
  private static final ObjectMapper JSON = new ObjectMapper();
  private static final Resource SECRETS = new Resource("", "secrets");
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Component COMPONENT =
      new Component(
          "kube-apiserver",
          "kube-system",
          "kubeapiservers",
          Workload.RESTART_COMMAND,
          new TreeSet<>(List.of(SECRETS)),
          new TreeSet<>());

  private final AtomicInteger code = new AtomicInteger();

  @Test
  void anObjectThatIsUnchangedAfterARefusalIsNamedAndNotMigrated(@TempDir Path home)
      throws IOException {
    try (var plane = ControlPlane.builder(home.resolve("plane")).create()) {
      plane.buildPrograms();
      ApiServer server = plane.apiServer(0);
      server.writeEncryptionConfig(config("{name: '1', secret: " + key(1) + "}"));
      plane.start();
      try (var api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty())) {
        for (String name : List.of("openshift-config-managed", "refused", "vanished")) {
          api.create("/api/v1/namespaces", named("Namespace", name));
        }
        for (String namespace : List.of("refused", "vanished")) {
          api.create("/api/v1/namespaces/" + namespace + "/secrets", named("Secret", "s"));
        }
      }
      server.stop();
      server.writeEncryptionConfig(
          config("{name: '2', secret: " + key(2) + "}, {name: '1', secret: " + key(1) + "}"));
      server.startReady();
      HttpsServer webhook = webhook(plane);
      try (var api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
          var migrator = new OwnMigrator(api, InstantSource.system(), _ -> {})) {
        api.create(
            "/apis/admissionregistration.k8s.io/v1/validatingwebhookconfigurations",
            registration(plane, webhook.getAddress().getPort()));

        var _ = plane.etcdctl("del", "/registry/namespaces/vanished");
        assertThat(Waiting.until(() -> api.get("/api/v1/namespaces/vanished").isEmpty(), PATIENCE))
            .isTrue();

        for (int status : List.of(409, 404)) {
          code.set(status);
          assertThat(failure(api, migrator))
              .contains("secrets refused/s cannot be re-encrypted")
              .contains("answers the update with " + status);
          assertThat(keyOf(plane, "refused")).isEqualTo("1");
        }

        code.set(0);
        assertThat(failure(api, migrator))
            .contains("secrets vanished/s cannot be re-encrypted")
            .contains("answers the update with 404");
        assertThat(keyOf(plane, "vanished")).isEqualTo("1");

        api.create("/api/v1/namespaces", named("Namespace", "vanished"));
        assertThat(run(api, migrator)).isInstanceOf(State.Succeeded.class);
        assertThat(keyOf(plane, "refused")).isEqualTo("2");
        assertThat(keyOf(plane, "vanished")).isEqualTo("2");
      } finally {
        webhook.stop(0);
      }
    }
  }

  private static String failure(Api api, OwnMigrator migrator) {
    State state = run(api, migrator);
    assertThat(state).isInstanceOf(State.Failed.class);
    return ((State.Failed) state).message();
  }

  /// From the beginning to the end.
  private static State run(Api api, OwnMigrator migrator) {
    var before = Optional.ofNullable(migrator.look(api, COMPONENT).get(SECRETS));
    before.ifPresent(old -> api.delete(old.path(), old.json()));
    migrator.start(
        COMPONENT,
        new Start(SECRETS, new MigrationTarget("2", Optional.empty()), "w", 1),
        Optional.empty());
    assertThat(
            Waiting.until(
                () -> {
                  migrator.tend(COMPONENT, migrator.look(api, COMPONENT));
                  return !(state(api, migrator) instanceof State.Running);
                },
                PATIENCE))
        .isTrue();
    return state(api, migrator);
  }

  private static State state(Api api, OwnMigrator migrator) {
    return Optional.ofNullable(migrator.look(api, COMPONENT).get(SECRETS))
        .orElseThrow()
        .status()
        .state();
  }

  private static String keyOf(ControlPlane plane, String namespace) throws IOException {
    JsonNode stored =
        JSON.readTree(plane.etcdctl("get", "/registry/secrets/" + namespace + "/s", "-w", "json"));
    byte[] value = stored.at("/kvs/0/value").binaryValue();
    return new String(value, ISO_8859_1).split(":", 6)[4];
  }

  private HttpsServer webhook(ControlPlane plane) throws IOException {
    HttpsServer server =
        HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.setHttpsConfigurator(
        new HttpsConfigurator(
            TlsContexts.client(
                plane.pki().clusterCa(), plane.pki().server("webhook", List.of("localhost")))));
    server.createContext("/", this::review);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
    return server;
  }

  private void review(HttpExchange exchange) throws IOException {
    try (exchange) {
      JsonNode asked = JSON.readTree(exchange.getRequestBody());
      ObjectNode answer = JSON.createObjectNode();
      answer.put("apiVersion", "admission.k8s.io/v1").put("kind", "AdmissionReview");
      ObjectNode response = answer.putObject("response");
      response.put("uid", asked.at("/request/uid").asText()).put("allowed", code.get() == 0);
      if (code.get() != 0) {
        response.putObject("status").put("code", code.get()).put("message", "not now");
      }
      byte[] bytes = JSON.writeValueAsBytes(answer);
      exchange.getResponseHeaders().set("Content-Type", "application/json");
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  private static ObjectNode registration(ControlPlane plane, int port) throws IOException {
    ObjectNode json =
        JSON.createObjectNode()
            .put("apiVersion", "admissionregistration.k8s.io/v1")
            .put("kind", "ValidatingWebhookConfiguration");
    json.putObject("metadata").put("name", "refuses");
    ObjectNode hook = json.putArray("webhooks").addObject();
    hook.put("name", "refuses.keyward.test").put("sideEffects", "None");
    hook.put("failurePolicy", "Fail").putArray("admissionReviewVersions").add("v1");
    hook.putObject("clientConfig")
        .put("url", "https://localhost:" + port + "/")
        .put(
            "caBundle",
            Base64.getEncoder().encodeToString(Files.readAllBytes(plane.pki().clusterCa())));
    ObjectNode rule = hook.putArray("rules").addObject();
    rule.putArray("operations").add("UPDATE");
    rule.putArray("apiGroups").add("");
    rule.putArray("apiVersions").add("v1");
    rule.putArray("resources").add("secrets");
    hook.putObject("namespaceSelector")
        .putObject("matchLabels")
        .put("kubernetes.io/metadata.name", "refused");
    return json;
  }

  private static ObjectNode named(String kind, String name) {
    ObjectNode json = JSON.createObjectNode().put("apiVersion", "v1").put("kind", kind);
    json.putObject("metadata").put("name", name);
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
    - resources: [secrets]
      providers:
      - aescbc: {keys: [%s]}
      - identity: {}
    """
        .formatted(keys);
  }
}
