package io.keyward.node.setup;

import io.keyward.node.host.AtomicFile;
import io.keyward.node.host.HostKind;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;

/// Writes the static pod of the node agent and its configuration on a node, and keeps them up to
/// date. A static pod starts with its node, whether or not an API server responds.
public final class NodeSetup {
  /// Where the agent finds its configuration, a path of the node.
  static final Path CONFIG = Path.of("/etc/kubernetes/keyward/config.yaml");

  private static final String MANIFEST = "keyward-node-agent.yaml";
  private static final Duration INTERVAL = Duration.ofSeconds(10);

  private final Path config;
  private final Path manifest;
  private final Consumer<String> log;

  /// A setup that reports its changes.
  ///
  /// @param log receives one line for each change
  public NodeSetup(HostKind.Kubeadm place, Consumer<String> log) {
    this.config = place.below(CONFIG);
    this.manifest = manifest(place);
    this.log = log;
  }

  /// The manifest of the node agent, as this process sees it.
  public static Path manifest(HostKind.Kubeadm place) {
    return place.below(place.manifests()).resolve(MANIFEST);
  }

  /// Checks the files again and again, until interrupted.
  ///
  /// @param source the file with the configuration, which may change
  public void run(Path source, String image, String clusterServer, List<String> pluginDirectories)
      throws InterruptedException {
    while (true) {
      write(source, image, clusterServer, pluginDirectories);
      Thread.sleep(INTERVAL);
    }
  }

  void write(Path source, String image, String clusterServer, List<String> pluginDirectories) {
    String text = read(source);
    var pod = new AgentPod(image, clusterServer, pluginDirectories, text);
    createDirectory();
    // The pod reads the configuration when it starts.
    ensure(config, text);
    ensure(manifest, pod.manifest());
  }

  private void createDirectory() {
    try {
      Files.createDirectories(
          config.getParent(),
          PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rwx------")));
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + config, e);
    }
  }

  private void ensure(Path file, String text) {
    if (Files.notExists(file) || !read(file).equals(text)) {
      AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
      log.accept("wrote " + file);
    }
  }

  private static String read(Path file) {
    try {
      return Files.readString(file);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /// Deletes the static pod and its configuration.
  public void remove() {
    for (Path file : List.of(manifest, config)) {
      try {
        if (Files.deleteIfExists(file)) {
          log.accept("deleted " + file);
        }
      } catch (IOException e) {
        throw new UncheckedIOException("cannot delete " + file, e);
      }
    }
  }
}
