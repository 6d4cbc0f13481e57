package io.keyward.testbed;

import io.keyward.testbed.pod.NodeRoot;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;

/// Keyward itself on a managed cluster: the operator and the node agents, each with the rights that
/// are installed for it, and no more.
final class ManagedKeyward {
  private static final String OPERATOR = "keyward-operator";
  private static final String AGENT = "keyward-node-agent";

  private final ControlPlaneHome site;
  private final Distribution keyward;
  private final Map<String, Integer> metricsPorts = new ConcurrentHashMap<>();

  ManagedKeyward(ControlPlaneHome site, Distribution keyward) {
    this.site = site;
    this.keyward = keyward;
  }

  Path config() {
    return site.directory().resolve("operator.yaml");
  }

  /// Of an account.
  private Path kubeconfig(String account) {
    return site.directory().resolve("kubeconfig-" + account);
  }

  /// Makes what the cluster lacks, and the credentials of all that is started later.
  ///
  /// @param kubeconfig the admin's
  void install(Path kubeconfig, ApiClient admin, URI server) {
    try {
      Files.writeString(
          config(),
          """
          apiServers:
            - component: kube-apiserver
              namespace: kube-system
              operatorResource: kubeapiservers
              workload: staticPod
              resources: [secrets, configmaps]
          settings:
            reportInterval: 5s
            # An API server asks a plugin again at most 20 s after its readiness was checked.
            kekSettles: 25s
          """);
    } catch (IOException e) {
      throw new TestbedException("cannot write " + config(), "is the disk full?", e);
    }
    keyward.run(
        "operator",
        "install",
        "--config",
        config().toString(),
        "--kubeconfig",
        kubeconfig.toString());
    for (String account : List.of(OPERATOR, AGENT)) {
      KubeconfigFile.write(
          kubeconfig(account), server, site.pki().clusterCa(), new AdminApi(admin).token(account));
    }
  }

  Launch operator(String name) {
    return keyward.launch(
        name,
        site.log(name),
        "operator",
        "--config",
        config().toString(),
        "--kubeconfig",
        kubeconfig(OPERATOR).toString());
  }

  /// The agent of a node.
  ///
  /// @param server the API server of that node
  Launch agent(NodeRoot node, URI server) {
    String name = "agent-" + node.name();
    return keyward.launch(
        name,
        site.log(name),
        "node-agent",
        "--node",
        node.name(),
        "--config",
        config().toString(),
        "--kubeconfig",
        kubeconfig(AGENT).toString(),
        "--server",
        server.toString(),
        "--host-root",
        node.root().toString(),
        "--patience",
        "90s",
        "--report-interval",
        "5s",
        "--listen",
        metrics(node).getAuthority());
  }

  URI metrics(NodeRoot node) {
    // A node may have the address of one before it.
    int port = metricsPorts.computeIfAbsent(node.name(), _ -> Ports.free());
    return URI.create("http://" + node.address() + ":" + port + "/metrics");
  }
}
