package io.keyward.cli.node;

import io.keyward.node.host.HostKind;
import java.nio.file.Path;
import picocli.CommandLine.Option;

/// Where a node of kubeadm has its files.
final class KubeadmOptions {
  @Option(
      names = "--host-root",
      paramLabel = "DIR",
      description = "Where the root directory of the node is mounted (default: /).")
  private Path hostRoot = Path.of("/");

  @Option(
      names = "--manifest-dir",
      paramLabel = "DIR",
      description =
          "The kubelet's directory of static pods, a path of the node (default:"
              + " /etc/kubernetes/manifests).")
  private Path manifests = Path.of("/etc/kubernetes/manifests");

  HostKind.Kubeadm place() {
    return new HostKind.Kubeadm(hostRoot, manifests);
  }
}
