package io.keyward.testbed.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.testbed.process.Loop;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.Predicate;

/// Stands in for the Deployment controller, the scheduler and the kubelets, for one Deployment: it
/// runs what the template says, replaces pods one by one when the template changes, and keeps Pod
/// objects and the Deployment's status in the API.
///
/// It makes no ReplicaSets, and puts at most one pod on a node, since all have the same port. Of
/// probes it knows the readiness of the first container over HTTPS.
public final class DeploymentRunner implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(500);

  private final PodApi api;
  private final String namespace;
  private final String name;
  private final List<NodeRoot> nodes;
  private final Map<String, Path> images;
  private final Path state;
  private final Predicate<URI> probe;
  private final List<DeployedPod> pods = new CopyOnWriteArrayList<>();
  private final Loop loop;
  private int started;
  private String told = "";

  /// Begins at once.
  ///
  /// @param images which program stands for which image
  /// @param state where containers and logs are kept
  /// @param probe whether a server says that it is ready
  public DeploymentRunner(
      PodApi api,
      String namespace,
      String name,
      List<NodeRoot> nodes,
      Map<String, Path> images,
      Path state,
      Predicate<URI> probe) {
    this.api = api;
    this.namespace = namespace;
    this.name = name;
    this.nodes = List.copyOf(nodes);
    this.images = Map.copyOf(images);
    this.state = state;
    this.probe = probe;
    this.loop = Loop.start("pods of " + name, LOOK, this::step);
  }

  /// Whether a pod at this address is ready and stays: what the endpoints of a Service say.
  public boolean serves(String address) {
    return pods.stream().anyMatch(pod -> pod.serves() && pod.node().address().equals(address));
  }

  /// The processes of pods that are ready and stay.
  public List<ServerProcess> serving() {
    return pods.stream()
        .filter(DeployedPod::serves)
        .flatMap(pod -> pod.containers().stream())
        .toList();
  }

  private void step() throws IOException {
    Optional<JsonNode> found =
        api.get("/apis/apps/v1/namespaces/" + namespace + "/deployments/" + name);
    if (found.isEmpty()) {
      return;
    }
    JsonNode deployment = found.orElseThrow();
    pods.removeIf(DeployedPod::isGone);
    for (DeployedPod pod : pods) {
      pod.tend(images, probe);
    }
    String template = deployment.at("/spec/template").toString();
    int replicas = deployment.at("/spec/replicas").asInt(1);
    List<RollingUpdate.State> states =
        pods.stream()
            .map(pod -> new RollingUpdate.State(pod.isOf(template), pod.serves(), pod.isEnding()))
            .toList();
    switch (RollingUpdate.next(replicas, states)) {
      case RollingUpdate.Next.Start _ -> freeNode().ifPresent(node -> start(deployment, node));
      case RollingUpdate.Next.End(int index) -> pods.get(index).end();
      case RollingUpdate.Next.Nothing _ -> tell(deployment, template);
    }
  }

  private Optional<NodeRoot> freeNode() {
    return nodes.stream()
        .filter(node -> pods.stream().noneMatch(pod -> pod.node().equals(node)))
        .findFirst();
  }

  private void start(JsonNode deployment, NodeRoot node) {
    String podName = name + "-" + (started + 1);
    ObjectNode pod = new ObjectMapper().createObjectNode();
    pod.put("apiVersion", "v1").put("kind", "Pod");
    pod.putObject("metadata").put("name", podName).put("namespace", namespace);
    pod.withObject("/metadata").set("labels", deployment.at("/spec/template/metadata/labels"));
    pod.set("spec", deployment.at("/spec/template/spec").deepCopy());
    pod.withObject("/spec").put("nodeName", node.name());
    String all = "/api/v1/namespaces/" + namespace + "/pods";
    api.create(all, pod);
    started++;
    pods.add(
        new DeployedPod(
            api,
            all + "/" + podName,
            node,
            pod,
            state.resolve(podName),
            deployment.at("/spec/template").toString()));
  }

  private void tell(JsonNode deployment, String template) {
    long ready = pods.stream().filter(DeployedPod::serves).count();
    ObjectNode body = new ObjectMapper().createObjectNode();
    body.putObject("status")
        .put("observedGeneration", deployment.at("/metadata/generation").asLong())
        .put("replicas", pods.stream().filter(pod -> !pod.isEnding()).count())
        .put(
            "updatedReplicas",
            pods.stream().filter(pod -> pod.isOf(template) && !pod.isEnding()).count())
        .put("readyReplicas", ready)
        .put("availableReplicas", ready);
    if (!body.toString().equals(told)) {
      String path = "/apis/apps/v1/namespaces/" + namespace + "/deployments/" + name + "/status";
      api.mergePatch(path, body);
      told = body.toString();
    }
  }

  /// Kills what runs.
  @Override
  public void close() {
    loop.close();
    pods.forEach(DeployedPod::kill);
  }
}
