package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.kubeadm.KubeadmNode;
import java.nio.file.Path;

/// Runs blocks of the quick start on a node, as they are printed.
final class QuickStart {
  /// The current directory of the reader.
  static final String DIRECTORY = "/root-of-the-test";

  private final KubeadmNode node;

  private QuickStart(KubeadmNode node) {
    this.node = node;
  }

  /// A node whose administrator has installed `keyward` and has the image in the current directory.
  static QuickStart on(KubeadmNode node) {
    Path image = Artefacts.one("keyward-*-image-amd64.tar");
    node.run("mkdir", "-p", DIRECTORY);
    node.run("ln", "-sf", image.toString(), DIRECTORY + "/" + image.getFileName());
    node.run("ln", "-sf", Keyward.HOME.resolve("bin/keyward").toString(), "/usr/local/bin/keyward");
    return new QuickStart(node);
  }

  void run(String block) {
    Printed.commands("quick-start.md", block).forEach(this::command);
  }

  /// The guide says to repeat `kubectl wait` where an API server restarted meanwhile; on one node,
  /// each of them does.
  private void command(String line) {
    if (line.startsWith("kubectl wait ")) {
      assertThat(KubeadmAdmin.awaited(() -> node.succeeds("sh", "-ec", line), KubeadmAdmin.LIMIT))
          .as(line)
          .isTrue();
    } else {
      node.run("sh", "-ec", "cd " + DIRECTORY + "; " + line);
    }
  }
}
