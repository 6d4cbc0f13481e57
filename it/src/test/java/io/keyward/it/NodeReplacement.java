package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.NodePlugin;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.pod.NodeRoot;
import io.keyward.testbed.pod.PodRunner;
import io.keyward.testbed.process.Keeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.awaitility.Awaitility;

/// A node is gone for good, and one with an empty disk and another name takes its address.
final class NodeReplacement implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final Path PKI = Path.of("/etc/kubernetes/pki");

  private final NodeRoot node;
  private final PodRunner runner;
  private final Keeper agent;

  /// @param plugins all that keys in use name: the new API server does not start without one
  NodeReplacement(
      ManagedCluster cluster, Admin admin, List<NodePlugin> plugins, int index, String name)
      throws IOException {
    NodeRoot old = cluster.nodes().get(index);
    // A stopped agent is what a machine without power is to the others.
    cluster.agent(index).pause();
    isOnlySilent(admin, old);
    Files.delete(old.manifests().resolve("kube-apiserver.yaml"));
    admin.delete("/api/v1/nodes/" + old.name());

    node = new NodeRoot(name, old.address(), cluster.directory().resolve(name));
    node.make(NodeRoot.MANIFESTS);
    Path copy = node.make(PKI);
    try (Stream<Path> files = Files.list(old.at(PKI))) {
      for (Path file : files.toList()) {
        Files.copy(file, copy.resolve(file.getFileName()));
      }
    }
    admin.post(
        "/api/v1/nodes",
        "{\"apiVersion\":\"v1\",\"kind\":\"Node\",\"metadata\":{\"name\":\"%s\",\"labels\":{\"node-role.kubernetes.io/control-plane\":\"\"}}}"
            .formatted(name));
    for (NodePlugin plugin : plugins) {
      plugin.start(node);
    }
    runner =
        new PodRunner(
            node,
            Map.of(
                "kube-apiserver",
                ServerBinaries.ofThisMachine().ensure(ServerBinary.KUBE_APISERVER)),
            cluster.directory().resolve("r-" + name));
    agent = Keeper.start(cluster.agent(node, index));
  }

  /// A node that does not answer is still a node: the operator finishes the others, or waits for
  /// this one, and never drops it from the status.
  private static void isOnlySilent(Admin admin, NodeRoot silent) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .until(() -> {
          admin.touch();
          assertThat(names(admin)).contains(silent.name());
          return othersHaveArrived(admin.operator().path("status"), silent.name());
        });
  }

  private static boolean othersHaveArrived(JsonNode status, String silent) {
    long latest = status.path("latestAvailableRevision").asLong();
    for (JsonNode node : status.path("nodeStatuses")) {
      boolean isSilent = node.path("nodeName").asText().equals(silent);
      boolean isAsked = node.path("targetRevision").asLong() == latest;
      if (isSilent && isAsked) {
        return true;
      }
      if (!isSilent && node.path("currentRevision").asLong() < latest) {
        return false;
      }
    }
    return true;
  }

  /// Of whom the operator's resource tells.
  static List<String> names(Admin admin) {
    return admin.operator().at("/status/nodeStatuses").findValuesAsText("nodeName");
  }

  NodeRoot node() {
    return node;
  }

  @Override
  public void close() {
    agent.close();
    runner.close();
  }
}
