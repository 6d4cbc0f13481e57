package io.keyward.it;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.testbed.Distribution;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.pod.NodeRoot;
import io.keyward.testbed.pod.PodRunner;
import io.keyward.testbed.process.Keeper;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/// A node is gone for good, and one with an empty disk and another name takes its address.
final class NodeReplacement implements AutoCloseable {
  private static final Path PKI = Path.of("/etc/kubernetes/pki");
  private static final Pattern PORT = Pattern.compile("--secure-port=([0-9]+)");

  private final NodeRoot node;
  private final PodRunner runner;
  private final Keeper agent;

  NodeReplacement(ManagedCluster cluster, Admin admin, int index, String name) throws IOException {
    NodeRoot old = cluster.nodes().get(index);
    JsonNode pod = admin.get(Admin.SYSTEM + "/configmaps/kube-apiserver-pod");
    // A stopped agent is what a machine without power is to the others.
    cluster.agent(index).pause();
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
    runner =
        new PodRunner(
            node,
            Map.of(
                "kube-apiserver",
                ServerBinaries.ofThisMachine().ensure(ServerBinary.KUBE_APISERVER)),
            cluster.directory().resolve("r-" + name));
    agent =
        Keeper.start(
            new Distribution(Keyward.HOME)
                .launch(
                    "agent-" + name,
                    cluster.directory().resolve("agent-" + name + ".log"),
                    "node-agent",
                    "--node",
                    name,
                    "--config",
                    cluster.config().toString(),
                    "--kubeconfig",
                    cluster.kubeconfig().toString(),
                    "--server",
                    "https://" + node.address() + ":" + port(pod),
                    "--host-root",
                    node.root().toString(),
                    "--patience",
                    "90s",
                    "--report-interval",
                    "5s"));
  }

  private static String port(JsonNode pod) {
    Matcher found = PORT.matcher(pod.at("/data/pod.yaml").asText());
    if (!found.find()) {
      throw new AssertionError("no port in the manifest");
    }
    return found.group(1);
  }

  @Override
  public void close() {
    agent.close();
    runner.close();
  }
}
