package io.keyward.bench.migrator;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.Api;
import io.keyward.testbed.ApiServer;
import io.keyward.testbed.ControlPlane;
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
  record Rest(double megabytes, double writesPerMinute) {}

  Rest measure(Duration rest) throws IOException, InterruptedException {
    Path config = directory.resolve("operator.yaml");
    Path audit = directory.resolve("audit.log");
    try (var plane = plane(audit);
        var api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty())) {
      ApiServer server = plane.apiServer(0);
      Files.writeString(config, "apiServers:\n  - nodes: [" + server.name() + "]\n");
      List<String> cluster =
          List.of("--config", config.toString(), "--kubeconfig", plane.kubeconfig(0).toString());
      try (var install = start("install", cluster, "operator", "install")) {
        install.awaitExit();
      }
      Path pid = directory.resolve("pid");
      Files.writeString(pid, Long.toString(server.pid()));
      Thread keeper = Thread.ofVirtual().start(() -> keepRunning(server, pid));
      try (var _ =
              start(
                  "agent",
                  cluster,
                  "node-agent",
                  "--node",
                  server.name(),
                  "--server",
                  server.url().toString(),
                  "--encryption-config",
                  server.encryptionConfigFile().toString(),
                  "--restart",
                  "sh",
                  "--restart",
                  "-c",
                  "--restart",
                  "kill -TERM $(cat " + pid + ")");
          var operator = start("operator", cluster, "operator")) {
        ObjectNode wanted = JsonNodeFactory.instance.objectNode();
        wanted.putObject("spec").putObject("encryption").put("type", "aescbc");
        api.mergePatch("/apis/config.openshift.io/v1/apiservers/cluster", wanted);
        if (!Waiting.until(() -> isEncrypted(api), Duration.ofMinutes(5))) {
          throw new IllegalStateException("not encrypted; see " + operator.log());
        }
        Thread.sleep(15_000);
        int before = writes(audit).size();
        Thread.sleep(rest);
        List<String> writes = writes(audit);
        writes.subList(before, writes.size()).forEach(System.out::println);
        return new Rest(
            resident(operator.pid()), (writes.size() - before) * 60_000.0 / rest.toMillis());
      } finally {
        keeper.interrupt();
      }
    }
  }

  private ServerProcess start(String name, List<String> cluster, String... arguments) {
    var command = new ArrayList<>(List.of(keyward.toString()));
    command.addAll(List.of(arguments));
    command.addAll(cluster);
    return ServerProcess.start(
        new Launch(
            name, command, Map.of(), directory.resolve(name + ".log"), Launch.Lifetime.WITH_JVM));
  }

  private static boolean isEncrypted(Api api) {
    try {
      return api.get("/apis/operator.openshift.io/v1/kubeapiservers/cluster")
          .filter(found -> found.toString().contains("\"EncryptionCompleted\""))
          .isPresent();
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
        .apiServerArguments("--audit-policy-file=" + policy, "--audit-log-path=" + audit)
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

  private static void keepRunning(ApiServer server, Path pid) {
    try {
      while (true) {
        if (!server.isRunning()) {
          server.start();
          Files.writeString(pid, Long.toString(server.pid()));
        }
        Thread.sleep(50);
      }
    } catch (InterruptedException | IOException _) {
      Thread.currentThread().interrupt();
    }
  }
}
