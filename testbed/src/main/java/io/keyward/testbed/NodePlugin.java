package io.keyward.testbed;

import io.keyward.testbed.pod.NodeRoot;
import io.keyward.testbed.process.Keeper;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;

/// A KMS plugin with the provider `local` whose socket is on every node, under the same path. One
/// process serves all nodes, and is started again when it ends.
public final class NodePlugin implements AutoCloseable {
  private final Distribution keyward;
  private final Path directory;
  private final String name;
  private final Keeper keeper;

  NodePlugin(Distribution keyward, Path directory, String name, List<NodeRoot> nodes) {
    this.keyward = keyward;
    this.directory = Site.createPrivate(directory.resolve(name));
    this.name = name;
    var config = new StringBuilder("probeInterval: 1s\nkeys:\n");
    for (NodeRoot node : nodes) {
      node.make(NodeRoot.SOCKETS);
      config.append(
          """
            - name: %1$s
              socket: %2$s
              provider: local
              local:
                keystore: %3$s/keys.p12
                passwordFile: %3$s/password
                reloadInterval: 500ms
          """
              .formatted(node.name(), node.sockets().resolve(socketName()), this.directory));
    }
    try {
      Files.writeString(this.directory.resolve("password"), "only for " + name + "\n");
      Files.writeString(this.directory.resolve("plugin.yaml"), config);
    } catch (IOException e) {
      throw new TestbedException("cannot write the configuration of a plugin", "", e);
    }
    keystore("create");
    keeper =
        Keeper.start(
            keyward.launch(
                "plugin " + name,
                this.directory.resolve("plugin.log"),
                "plugin",
                "--config",
                this.directory.resolve("plugin.yaml").toString()));
    boolean up =
        Waiting.until(
            () ->
                nodes.stream().allMatch(node -> Files.exists(node.sockets().resolve(socketName()))),
            Duration.ofSeconds(60));
    if (!up) {
      throw new TestbedException("plugin " + name + " has no sockets", "see its log");
    }
  }

  private String socketName() {
    return name + ".sock";
  }

  /// As every node and every API server calls it.
  public String endpoint() {
    return "unix://" + NodeRoot.SOCKETS.resolve(socketName());
  }

  /// Gives the key a new version, which the plugin finds by itself.
  public void rotate() {
    keystore("rotate");
  }

  private void keystore(String verb) {
    keyward.run(
        "keystore",
        verb,
        "--keystore",
        directory.resolve("keys.p12").toString(),
        "--password-file",
        directory.resolve("password").toString());
  }

  public ServerProcess process() {
    return keeper.process();
  }

  @Override
  public void close() {
    keeper.close();
  }
}
