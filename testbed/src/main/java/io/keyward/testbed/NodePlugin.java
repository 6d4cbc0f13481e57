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
import java.util.Map;
import java.util.TreeMap;

/// A KMS plugin with the provider `local`, one process on every node, all with the same key and
/// with their sockets under the same path. What ends is started again.
public final class NodePlugin implements AutoCloseable {
  private final Distribution keyward;
  private final Path directory;
  private final String name;
  private final Map<String, Keeper> keepers = new TreeMap<>();

  NodePlugin(Distribution keyward, Path directory, String name, List<NodeRoot> nodes) {
    this.keyward = keyward;
    this.directory = ControlPlaneHome.createPrivate(directory.resolve(name));
    this.name = name;
    try {
      Files.writeString(this.directory.resolve("password"), "only for " + name + "\n");
    } catch (IOException e) {
      throw unwritten(e);
    }
    keystore("create");
    nodes.forEach(this::begin);
    nodes.forEach(this::awaitSocket);
  }

  private static TestbedException unwritten(IOException e) {
    return new TestbedException("cannot write the configuration of a plugin", "", e);
  }

  /// One more node has it too.
  public void start(NodeRoot node) {
    begin(node);
    awaitSocket(node);
  }

  private void begin(NodeRoot node) {
    node.make(NodeRoot.SOCKETS);
    Path config = directory.resolve(node.name() + ".yaml");
    try {
      Files.writeString(
          config,
          """
          probeInterval: 1s
          keys:
            - name: %1$s
              socket: %2$s
              provider: local
              local:
                keystore: %3$s/keys.p12
                passwordFile: %3$s/password
                reloadInterval: 500ms
          """
              .formatted(node.name(), socket(node), directory));
    } catch (IOException e) {
      throw unwritten(e);
    }
    keepers.put(
        node.name(),
        Keeper.start(
            keyward.launch(
                "plugin " + name + " of " + node.name(),
                directory.resolve(node.name() + ".log"),
                "plugin",
                "--config",
                config.toString())));
  }

  private void awaitSocket(NodeRoot node) {
    if (!Waiting.until(() -> Files.exists(socket(node)), Duration.ofSeconds(60))) {
      throw new TestbedException(
          "plugin " + name + " has no socket on " + node.name(), "see its log");
    }
  }

  /// Where it is to be seen from here.
  public Path socket(NodeRoot node) {
    return node.sockets().resolve(socketName());
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

  public ServerProcess process(NodeRoot node) {
    Keeper keeper = keepers.get(node.name());
    if (keeper == null) {
      throw new TestbedException("no plugin " + name + " on " + node.name(), "start one there");
    }
    return keeper.process();
  }

  @Override
  public void close() {
    keepers.values().forEach(Keeper::close);
  }
}
