package io.keyward.bench.migrator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.client.Api;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.OneNode;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// An operator and a node agent of the distribution, after everything is encrypted.
final class OperatorAtRest {
  private final Path directory;
  private final Path keyward;

  OperatorAtRest(Path directory, Path keyward) {
    this.directory = directory;
    this.keyward = keyward;
  }

  /// Megabytes resident, and writes in a minute. Leases count for nothing: renewing is their use.
  ///
  /// @param writesWithKms the same after a move to a KMS, whose monitor says that it still looks
  record Rest(double megabytes, double writesPerMinute, double writesWithKms) {}

  Rest measure(Duration rest) throws IOException, InterruptedException {
    Path audit = directory.resolve("audit.log");
    ControlPlane plane = plane(audit);
    try (var node = new OneNode(directory, keyward, plane, "", Duration.ofMinutes(5));
        var api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty())) {
      want(api, "{\"type\":\"aescbc\"}");
      settle(api, "1", node.operator());
      double local = writesPerMinute(audit, rest);
      double megabytes = resident(node.operator().pid());
      try (var _ = plugin()) {
        want(
            api,
            "{\"type\":\"KMS\",\"kms\":{\"type\":\"External\",\"external\":{\"endpoint\":\"unix://%s\"}}}"
                .formatted(directory.resolve("p.sock")));
        settle(api, "2", node.operator());
        return new Rest(megabytes, local, writesPerMinute(audit, rest));
      }
    }
  }

  private static void want(Api api, String encryption) throws IOException {
    ObjectNode wanted = JsonNodeFactory.instance.objectNode();
    wanted.putObject("spec").set("encryption", new ObjectMapper().readTree(encryption));
    api.mergePatch("/apis/config.openshift.io/v1/apiservers/cluster", wanted);
  }

  /// Everything is stored under this key, and nothing is left to be done.
  private static void settle(Api api, String key, ServerProcess operator)
      throws InterruptedException {
    if (!Waiting.until(() -> isEncrypted(api, key), Duration.ofMinutes(5))) {
      throw new IllegalStateException("not encrypted; see " + operator.log());
    }
    Thread.sleep(15_000);
  }

  private static double writesPerMinute(Path audit, Duration rest)
      throws IOException, InterruptedException {
    int before = writes(audit).size();
    Thread.sleep(rest);
    List<String> writes = writes(audit);
    writes.subList(before, writes.size()).forEach(System.out::println);
    return (writes.size() - before) * 60_000.0 / rest.toMillis();
  }

  private ServerProcess plugin() throws IOException {
    Path password = directory.resolve("password");
    Files.writeString(password, "only for a bench\n");
    Path config = directory.resolve("plugin.yaml");
    Files.writeString(
        config,
        """
        keys:
          - name: bench
            socket: %1$s/p.sock
            provider: local
            local: {keystore: %1$s/keys.p12, passwordFile: %1$s/password}
        """
            .formatted(directory));
    String keystore = directory.resolve("keys.p12").toString();
    try (var create =
        start(
            "keystore",
            List.of("--keystore", keystore, "--password-file", password.toString()),
            "keystore",
            "create")) {
      create.awaitExit();
    }
    return start("plugin", List.of("--config", config.toString()), "plugin");
  }

  private ServerProcess start(String name, List<String> cluster, String... arguments) {
    var command = new ArrayList<>(List.of(keyward.resolve("bin/keyward").toString()));
    command.addAll(List.of(arguments));
    command.addAll(cluster);
    return ServerProcess.start(
        new Launch(
            name, command, Map.of(), directory.resolve(name + ".log"), Launch.Lifetime.WITH_JVM));
  }

  private static boolean isEncrypted(Api api, String key) {
    try {
      JsonNode status =
          api.get("/apis/operator.openshift.io/v1/kubeapiservers/cluster")
              .orElseThrow()
              .path("status");
      boolean done = status.toString().contains("\"EncryptionCompleted\"");
      JsonNode migrations = status.at("/encryptionStatus/migrations");
      for (JsonNode one : migrations) {
        done &= one.path("writeKey").asText("").equals(key);
        done &= one.path("state").asText("").equals("Succeeded");
      }
      return done && !migrations.isEmpty();
    } catch (RuntimeException _) {
      // The API server restarts meanwhile.
      return false;
    }
  }

  /// One that writes down who changed what.
  private ControlPlane plane(Path audit) throws IOException {
    Path policy = directory.resolve("policy.yaml");
    Files.writeString(
        policy,
        """
        apiVersion: audit.k8s.io/v1
        kind: Policy
        omitStages: [RequestReceived]
        rules:
          - level: None
            resources: [{group: coordination.k8s.io}]
          - level: Metadata
            verbs: [create, update, patch, delete]
        """);
    return ControlPlane.builder(directory.resolve("plane"))
        .apiServerArguments(
            "--audit-policy-file=" + policy,
            "--audit-log-path=" + audit,
            "--shutdown-send-retry-after=true")
        .start();
  }

  /// By whoever is not a part of Kubernetes.
  private static List<String> writes(Path audit) throws IOException {
    var writes = new ArrayList<String>();
    for (String line : Files.readAllLines(audit)) {
      JsonNode event = new ObjectMapper().readTree(line);
      if (!event.path("userAgent").asText("").startsWith("kube-")) {
        writes.add(event.path("verb").asText() + " " + event.path("requestURI").asText());
      }
    }
    return writes;
  }

  private static double resident(long pid) throws IOException {
    for (String line : Files.readAllLines(Path.of("/proc/" + pid + "/status"))) {
      if (line.startsWith("VmRSS:")) {
        return Long.parseLong(line.replaceAll("\\D", "")) * 1024 / 1e6;
      }
    }
    throw new IllegalStateException("no such process");
  }
}
