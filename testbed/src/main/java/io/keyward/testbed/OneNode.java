package io.keyward.testbed;

import io.keyward.testbed.process.Loop;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;

/// One real API server that is started again whenever it ends, as service managers do, with the
/// node agent that ends it and the operator, both from a distribution. Smaller than a
/// [ManagedCluster], and no root is needed.
public final class OneNode implements AutoCloseable {
  private static final Duration LOOK = Duration.ofMillis(50);

  private final Path directory;
  private final ControlPlane plane;
  private final Distribution keyward;
  private final List<AutoCloseable> open = new ArrayList<>();
  private ServerProcess operator;

  /// Returns when operator and agent are started.
  ///
  /// @param plane runs; it is closed with this
  /// @param settings what the operator's configuration says beside the API server
  /// @param patience how long a restart may take until the agent says that it failed
  public OneNode(
      Path directory, Path home, ControlPlane plane, String settings, Duration patience) {
    this.directory = directory;
    this.plane = plane;
    this.keyward = new Distribution(home);
    open.add(plane);
    configure(settings);
    keyward.run("operator", "install", "--config", config().toString(), "--kubeconfig", admin());
    ApiServer server = plane.apiServer(0);
    Path pid = directory.resolve("pid");
    write(pid, Long.toString(server.pid()));
    open.add(
        Loop.start(
            "keeper of " + server.name(),
            LOOK,
            () -> {
              if (!server.isRunning()) {
                server.start();
                Files.writeString(pid, Long.toString(server.pid()));
              }
            }));
    open.add(
        start(
            "node-agent",
            "--patience",
            patience.toSeconds() + "s",
            "--node",
            server.name(),
            "--server",
            server.url().toString(),
            "--encryption-config",
            server.encryptionConfigFile().toString(),
            "--config",
            config().toString(),
            "--kubeconfig",
            admin(),
            "--",
            "sh",
            "-c",
            "kill -TERM $(cat " + pid + ")"));
    operator = startOperator();
  }

  private void configure(String settings) {
    write(
        config(),
        "apiServers:\n  - operatorResource: kubeapiservers\n    nodes: ["
            + plane.apiServer(0).name()
            + "]\n"
            + settings);
  }

  /// The operator is started anew with other settings.
  public void reconfigure(String settings) {
    operator.kill();
    configure(settings);
    operator = startOperator();
  }

  public ControlPlane plane() {
    return plane;
  }

  public ServerProcess operator() {
    return operator;
  }

  /// The operator's.
  public Path config() {
    return directory.resolve("operator.yaml");
  }

  private String admin() {
    return plane.kubeconfig(0).toString();
  }

  private ServerProcess startOperator() {
    return start("operator", "--config", config().toString(), "--kubeconfig", admin());
  }

  private ServerProcess start(String... words) {
    return ServerProcess.start(
        keyward.launch(words[0], directory.resolve(words[0] + ".log"), words));
  }

  private static void write(Path file, String text) {
    try {
      Files.writeString(file, text);
    } catch (IOException e) {
      throw new TestbedException("cannot write " + file, "is the disk full?", e);
    }
  }

  @Override
  public void close() {
    operator.kill();
    for (AutoCloseable one : open.reversed()) {
      try {
        one.close();
      } catch (Exception e) {
        throw new TestbedException("not ended", "", e);
      }
    }
  }
}
