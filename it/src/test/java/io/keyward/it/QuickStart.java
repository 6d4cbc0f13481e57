package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.kubeadm.KubeadmNode;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// Runs blocks of the quick start on a node, as they are printed.
final class QuickStart {
  /// The current directory of the reader.
  static final String DIRECTORY = "/root-of-the-test";

  private static final Path GUIDE = Path.of("../docs/guides/quick-start.md");

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
    Pattern marked =
        Pattern.compile("<!-- test: " + block + " -->\n```sh\n(.*?)```", Pattern.DOTALL);
    Matcher found = marked.matcher(guide());
    assertThat(found.find()).as(block).isTrue();
    found.group(1).lines().forEach(this::command);
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

  private static String guide() {
    try {
      return Files.readString(GUIDE);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
