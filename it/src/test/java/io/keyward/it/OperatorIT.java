package io.keyward.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.Api;
import io.keyward.testbed.ApiServer;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.Kubeconfig;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole way on real servers: an admin edits one field, and two kube-apiservers change their
/// keys node by node while a reader and a writer go on.
///
/// Operator and node agents are processes of the distribution. What a service manager does, start
/// an API server again when it ends, is done by the test.
final class OperatorIT {
  private static final int SECRETS = 100;
  private static final Duration PATIENCE = Duration.ofMinutes(5);
  private static final String STORED = "/registry/secrets/default/s-";

  private final List<AutoCloseable> open = new ArrayList<>();
  private final List<ServerProcess> processes = new ArrayList<>();
  private Path directory;
  private Path kubeconfig;
  private ControlPlane plane;
  private Api api;
  private volatile boolean ended;

  @AfterEach
  void stop() throws Exception {
    ended = true;
    processes.forEach(ServerProcess::kill);
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void fromPlaintextToAesToKmsAndBack(@TempDir Path temporary) throws IOException {
    directory = temporary;
    startCluster();
    var plugin = new LocalPlugin(Files.createDirectory(directory.resolve("p")));
    open.add(plugin);
    for (int i = 0; i < SECRETS; i++) {
      createSecret("s-" + i);
    }
    var traffic = new Traffic(api);
    open.add(traffic);

    want("{\"type\":\"aescbc\",\"kms\":null}");
    awaitCondition("Encrypted", "True", "EncryptionCompleted");
    assertThat(stored()).hasSize(SECRETS).allMatch(v -> v.startsWith("k8s:enc:aescbc:v1:1:"));

    want(
        "{\"type\":\"KMS\",\"kms\":{\"type\":\"External\",\"external\":{\"endpoint\":\"unix://"
            + plugin.socket()
            + "\"}}}");
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .untilAsserted(
            () -> assertThat(stored()).allMatch(v -> v.startsWith("k8s:enc:kms:v2:2_secrets:")));
    assertThat(stored()).allMatch(v -> v.contains(plugin.status().keyId()));

    want("{\"type\":\"identity\",\"kms\":null}");
    awaitCondition("Encrypted", "False", "DecryptionCompleted");
    assertThat(stored()).hasSize(SECRETS).allMatch(v -> v.startsWith("k8s\0"));

    traffic.close();
    assertThat(traffic.failed()).isEmpty();
    assertThat(traffic.done()).isGreaterThan(100);
    for (ApiServer server : plane.apiServers()) {
      assertThat(
              PosixFilePermissions.toString(
                  Files.getPosixFilePermissions(server.encryptionConfigFile())))
          .isEqualTo("rw-------");
    }
    Keyward explained =
        Keyward.run(
            "explain", "--config", config().toString(), "--kubeconfig", kubeconfig.toString());
    assertThat(explained.out()).as(explained.err()).contains("DecryptionCompleted");
  }

  private void startCluster() throws IOException {
    plane =
        ControlPlane.builder(directory.resolve("plane"))
            .apiServers(2)
            .apiServerArguments("--shutdown-delay-duration=1s", "--shutdown-send-retry-after=true")
            .start();
    open.add(plane);
    var gate = new ReadyGate(plane.apiServers());
    open.add(gate);
    kubeconfig =
        Kubeconfig.write(
            directory.resolve("kubeconfig"),
            gate.url(),
            plane.pki().clusterCa(),
            plane.pki().admin());
    api = Api.connect(Optional.of(kubeconfig), Optional.empty());
    open.add(api);
    Files.writeString(
        config(),
        """
        apiServers:
          - component: kube-apiserver
            nodes: [kube-apiserver-0, kube-apiserver-1]
        settings:
          reportInterval: 2s
          kekSettles: 5s
        """);
    Keyward installed =
        Keyward.run(
            "operator",
            "install",
            "--config",
            config().toString(),
            "--kubeconfig",
            kubeconfig.toString());
    assertThat(installed.exitCode()).as(installed.err()).isZero();
    for (ApiServer server : plane.apiServers()) {
      Path pid = directory.resolve(server.name() + ".pid");
      Files.writeString(pid, Long.toString(server.pid()));
      Thread.ofVirtual().start(() -> keepRunning(server, pid));
      run(
          "agent-" + server.name(),
          "node-agent",
          "--node",
          server.name(),
          "--server",
          server.url().toString(),
          "--encryption-config",
          server.encryptionConfigFile().toString(),
          "--report-interval",
          "2s",
          "--restart",
          "sh",
          "--restart",
          "-c",
          "--restart",
          "kill -TERM $(cat " + pid + ")");
    }
    run("operator", "operator");
  }

  private Path config() {
    return directory.resolve("operator.yaml");
  }

  private void keepRunning(ApiServer server, Path pid) {
    while (!ended) {
      try {
        if (!server.isRunning() && !ended) {
          server.start();
          Files.writeString(pid, Long.toString(server.pid()));
        }
        Thread.sleep(50);
      } catch (IOException | InterruptedException e) {
        throw new AssertionError(e);
      }
    }
  }

  private void run(String name, String... arguments) {
    var command = new ArrayList<>(List.of(Keyward.HOME.resolve("bin/keyward").toString()));
    command.addAll(List.of(arguments));
    command.addAll(List.of("--config", config().toString(), "--kubeconfig", kubeconfig.toString()));
    processes.add(
        ServerProcess.start(
            new Launch(
                name,
                command,
                Map.of(),
                directory.resolve(name + ".log"),
                Launch.Lifetime.WITH_JVM)));
  }

  private void createSecret(String name) {
    ObjectNode secret = new ObjectMapper().createObjectNode();
    secret.put("apiVersion", "v1").put("kind", "Secret");
    secret.putObject("metadata").put("name", name);
    secret.putObject("stringData").put("word", "tell nobody");
    api.create("/api/v1/namespaces/default/secrets", secret);
  }

  private void want(String encryption) throws IOException {
    ObjectNode patch = new ObjectMapper().createObjectNode();
    patch.putObject("spec").set("encryption", new ObjectMapper().readTree(encryption));
    api.mergePatch("/apis/config.openshift.io/v1/apiservers/cluster", patch);
  }

  private void awaitCondition(String type, String status, String reason) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions()
        .untilAsserted(() -> {
          JsonNode all =
              api.get("/apis/operator.openshift.io/v1/kubeapiservers/cluster")
                  .orElseThrow()
                  .at("/status");
          JsonNode found = new ObjectMapper().createObjectNode();
          for (JsonNode one : all.path("conditions")) {
            found = one.path("type").asText().equals(type) ? one : found;
          }
          assertThat(found.path("status").asText() + " " + found.path("reason").asText())
              .as(all.toPrettyString())
              .isEqualTo(status + " " + reason);
        });
  }

  /// Every value of our secrets, from etcd itself.
  private List<String> stored() throws IOException {
    var answer =
        new ObjectMapper().readTree(plane.etcdctl("get", "--prefix", STORED, "-w", "json"));
    var values = new ArrayList<String>();
    for (JsonNode kv : answer.path("kvs")) {
      values.add(new String(kv.path("value").binaryValue(), ISO_8859_1));
    }
    return values;
  }
}
