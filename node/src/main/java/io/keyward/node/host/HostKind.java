package io.keyward.node.host;

import java.nio.file.Path;
import java.util.List;

/// Where a revision goes on this node.
public sealed interface HostKind {
  /// A file, and a command that restarts the API server that reads it.
  ///
  /// @param configFile what the API server's `--encryption-provider-config` names
  /// @param restart may return before the API server is up
  record Command(Path configFile, List<String> restart) implements HostKind {
    public Command {
      restart = List.copyOf(restart);
    }
  }

  /// Files of a static pod, and its manifest where the kubelet looks.
  ///
  /// @param hostRoot where this agent sees the node's root directory
  /// @param resources the directory of revisions, a path of the node
  /// @param manifests the kubelet's directory, a path of the node
  record StaticPod(Path hostRoot, Path resources, Path manifests) implements HostKind {}

  /// The manifest that kubeadm wrote on this node.
  ///
  /// @param hostRoot where this agent sees the node's root directory
  /// @param manifests the kubelet's directory, a path of the node
  record Kubeadm(Path hostRoot, Path manifests) implements HostKind {
    /// A path of the node, as this agent sees it.
    public Path below(Path path) {
      return root().resolve(Path.of("/").relativize(path.toAbsolutePath())).normalize();
    }

    /// A path of this agent, as the node has it.
    public String onNode(Path path) {
      return path.startsWith(root()) ? "/" + root().relativize(path) : path.toString();
    }

    private Path root() {
      return hostRoot.toAbsolutePath().normalize();
    }
  }
}
