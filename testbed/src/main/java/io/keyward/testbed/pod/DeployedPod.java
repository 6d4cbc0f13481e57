package io.keyward.testbed.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/// One pod of a Deployment on one node: processes here, and an object of the API that tells of
/// them.
final class DeployedPod {
  private static final Duration PATIENCE = Duration.ofMinutes(2);
  private static final Duration BACK_OFF = Duration.ofSeconds(1);

  private final PodApi api;
  private final String path;
  private final NodeRoot node;
  private final ObjectNode pod;
  private final Path state;
  private final String template;
  private final List<ServerProcess> containers = new CopyOnWriteArrayList<>();
  private final Instant begin = Instant.now();
  private Instant restartAfter = Instant.EPOCH;
  private volatile boolean ready;
  private volatile boolean ending;
  private volatile boolean gone;
  private String told = "";

  /// Starts nothing yet.
  ///
  /// @param template names the template that it is of
  DeployedPod(PodApi api, String path, NodeRoot node, ObjectNode pod, Path state, String template) {
    this.api = api;
    this.path = path;
    this.node = node;
    this.pod = pod;
    this.state = state;
    this.template = template;
  }

  NodeRoot node() {
    return node;
  }

  boolean isOf(String wanted) {
    return template.equals(wanted);
  }

  boolean serves() {
    return ready && !ending;
  }

  boolean isEnding() {
    return ending;
  }

  boolean isGone() {
    return gone;
  }

  List<ServerProcess> containers() {
    return containers;
  }

  /// Starts what does not run, looks whether it is ready, and tells the API.
  void tend(Map<String, Path> images, Predicate<URI> probe) throws IOException {
    if (ending) {
      return;
    }
    if (containers.isEmpty()) {
      fillSecrets();
      for (JsonNode container : pod.at("/spec/containers")) {
        containers.add(
            ServerProcess.start(new ContainerLaunch(node, images, state, pod).of(container)));
      }
    }
    for (ServerProcess process : containers) {
      if (!process.isRunning() && Instant.now().isAfter(restartAfter)) {
        restartAfter = Instant.now().plus(BACK_OFF);
        process.start();
      }
    }
    ready = probe.test(probed());
    tell();
  }

  private URI probed() {
    JsonNode get = pod.at("/spec/containers/0/readinessProbe/httpGet");
    return URI.create(
        "https://" + node.address() + ":" + get.path("port").asInt() + get.path("path").asText());
  }

  private void fillSecrets() throws IOException {
    String namespace = pod.at("/metadata/namespace").asText();
    for (JsonNode volume : pod.at("/spec/volumes")) {
      String secret = volume.at("/secret/secretName").asText("");
      if (!secret.isEmpty()) {
        JsonNode found =
            api.get("/api/v1/namespaces/" + namespace + "/secrets/" + secret)
                .orElseThrow(
                    () -> new TestbedException("secret " + secret + " is not there", "create it"));
        fill(ContainerLaunch.volume(state, volume.path("name").asText()), found.path("data"));
      }
    }
  }

  private static void fill(Path directory, JsonNode data) throws IOException {
    Files.createDirectories(
        directory,
        PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    for (Map.Entry<String, JsonNode> one : data.properties()) {
      Path file = directory.resolve(one.getKey());
      Files.deleteIfExists(file);
      Files.createFile(
          file, PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(file, one.getValue().binaryValue());
    }
  }

  private void tell() {
    ObjectNode status = new ObjectMapper().createObjectNode();
    ObjectNode body = status.putObject("status");
    body.put("phase", "Running").put("hostIP", node.address()).put("podIP", node.address());
    body.put("startTime", begin.truncatedTo(ChronoUnit.SECONDS).toString());
    body.putArray("conditions")
        .addObject()
        .put("type", "Ready")
        .put("status", ready ? "True" : "False");
    if (!status.toString().equals(told)) {
      api.mergePatch(path + "/status", status);
      told = status.toString();
    }
  }

  /// First nobody is sent there any more, then it gets its time to end, as with a kubelet.
  void end() {
    ending = true;
    Thread.ofVirtual().start(this::finish);
  }

  private void finish() {
    insist(path + "?gracePeriodSeconds=" + grace().toSeconds());
    Waiting.until(() -> gone, preStop());
    containers.parallelStream().forEach(process -> process.stop(grace()));
    insist(path + "?gracePeriodSeconds=0");
    gone = true;
  }

  private Duration grace() {
    return Duration.ofSeconds(pod.at("/spec/terminationGracePeriodSeconds").asLong(30));
  }

  private Duration preStop() {
    return Duration.ofSeconds(
        pod.at("/spec/containers/0/lifecycle/preStop/sleep/seconds").asLong(0));
  }

  private void insist(String request) {
    Waiting.until(
        () -> {
          try {
            api.delete(request);
            return true;
          } catch (TestbedException _) {
            return gone;
          }
        },
        PATIENCE);
  }

  /// What a test leaves behind needs no polite end.
  void kill() {
    gone = true;
    containers.forEach(ServerProcess::kill);
  }
}
