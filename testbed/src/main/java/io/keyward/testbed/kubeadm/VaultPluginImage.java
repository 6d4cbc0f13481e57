package io.keyward.testbed.kubeadm;

import io.keyward.testbed.Trees;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/// An image with [ServerBinary#VAULT_KMS_PLUGIN] and nothing else. The program is its entry point.
public final class VaultPluginImage {
  /// A registry that cannot exist: a kubelet that pulls instead of using the imported image fails.
  private static final String REPOSITORY = "registry.example.com/vault-kms-plugin";

  private VaultPluginImage() {}

  /// Imports the image on a node, where kubelet then starts it with the pull policy `IfNotPresent`.
  /// Needs containerd only, so it also works before `kubeadm join`.
  ///
  /// @return the reference with the digest, the same on every node
  public static String importOn(KubeadmNode node, ServerBinaries binaries) {
    Path program = binaries.ensure(ServerBinary.VAULT_KMS_PLUGIN);
    try {
      // Nodes share the temporary directory of the machine.
      Path scratch = Files.createTempDirectory("keyward-image");
      try {
        Path script = scratch.resolve("plugin-image.py");
        NodeFiles.write(script);
        Path archive = scratch.resolve("image.tar");
        String reference =
            Commands.must(
                    "packing the image of the plugin",
                    List.of("python3", script + "", archive + "", REPOSITORY, program + ""))
                .strip();
        node.run("ctr", "-n", "k8s.io", "images", "import", archive.toString());
        return reference;
      } finally {
        Trees.delete(scratch);
      }
    } catch (IOException e) {
      throw new TestbedException("cannot pack the image of the plugin", "check /tmp", e);
    }
  }
}
