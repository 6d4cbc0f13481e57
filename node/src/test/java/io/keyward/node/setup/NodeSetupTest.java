package io.keyward.node.setup;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.codec.pod.PodYaml;
import io.keyward.node.host.HostKind;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public final class NodeSetupTest {
  @TempDir private Path root;
  private final List<String> log = new ArrayList<>();
  private Path source = Path.of("");
  private Path manifest = Path.of("");

  @BeforeEach
  void node() throws IOException {
    source = Files.writeString(root.resolve("source.yaml"), "apiServers: []\n");
    manifest =
        Files.createDirectories(root.resolve("etc/kubernetes/manifests"))
            .resolve("keyward-node-agent.yaml");
  }

  private NodeSetup setup() {
    return new NodeSetup(
        new HostKind.Kubeadm(root, Path.of("/etc/kubernetes/manifests")), log::add);
  }

  private void write(String image) {
    setup().write(source, image, "https://api:6443", List.of("/var/run/kmsplugin", "/run/b"));
  }

  @Test
  void writesAPodThatTheKubeletCanRead() throws IOException {
    write("localhost/keyward:1");
    String text = Files.readString(manifest);
    assertThat(text)
        .doesNotContain("${")
        .contains("image: localhost/keyward:1", "path: /run/b", "mountPath: /var/run/kmsplugin");
    assertThat(PodYaml.parse("node-agent", text).orElseThrow(_ -> new IllegalStateException()))
        .isNotNull();
    assertThat(root.resolve("etc/kubernetes/keyward/config.yaml")).hasContent("apiServers: []");
  }

  @Test
  void writesOnlyWhatDiffers() throws IOException {
    write("localhost/keyward:1");
    log.clear();
    write("localhost/keyward:1");
    assertThat(log).isEmpty();
    write("localhost/keyward:2");
    assertThat(log).singleElement().asString().contains("keyward-node-agent.yaml");
    // Another configuration is another pod, which reads it.
    Files.writeString(source, "apiServers: [{}]\n");
    log.clear();
    write("localhost/keyward:2");
    assertThat(log).hasSize(2);
  }

  @Test
  void leavesNothingWhenItIsRemoved() throws IOException {
    write("localhost/keyward:1");
    setup().remove();
    assertThat(manifest).doesNotExist();
    assertThat(root.resolve("etc/kubernetes/keyward/config.yaml")).doesNotExist();
    log.clear();
    setup().remove();
    assertThat(log).isEmpty();
  }
}
