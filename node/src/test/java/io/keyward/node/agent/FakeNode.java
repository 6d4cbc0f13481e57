package io.keyward.node.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.node.host.HostKind;
import io.keyward.node.plugin.PluginObserver;
import io.keyward.node.plugin.PluginTiming;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Executors;

/// A node with a real agent and an API server that is only played: it is ready, and says that it
/// started when a file says so. A restart command changes that file.
///
/// Its starts are long ago, as on a node whose clock was set back.
public final class FakeNode implements AutoCloseable {
  private final HttpServer door;
  private final Path directory;
  private final Path config;
  private final Path start;
  private final Api local;
  private final Thread agent;

  /// @param condition of the shell, in the directory of the files: whether a restart succeeds
  public FakeNode(
      Api cluster, Path kubeconfig, Component component, String name, Path home, String condition)
      throws IOException {
    directory = home.resolve(name);
    config = directory.resolve("config");
    start = Files.createDirectories(home.resolve(name + "-process")).resolve("start");
    Files.writeString(start, "1767000000");
    door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    door.createContext("/", this::handle);
    door.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    door.start();
    local =
        Api.connect(
            Optional.of(kubeconfig),
            Optional.of("http://127.0.0.1:" + door.getAddress().getPort()));
    String command =
        "cd "
            + directory
            + " && { "
            + condition
            + " || exit 3; } && echo $(($(cat "
            + start
            + ") + 10)) > "
            + start
            + ".new && mv "
            + start
            + ".new "
            + start;
    var settings =
        new NodeSettings(
            name,
            new HostKind.Command(config, List.of("sh", "-c", command)),
            Duration.ofMinutes(5),
            new PluginTiming(Duration.ofSeconds(10), Duration.ofSeconds(30)));
    var real = new NodeAgent(cluster, local, component, settings, PluginObserver.NOBODY);
    agent =
        Thread.ofVirtual()
            .start(() -> {
              try {
                real.run();
              } catch (InterruptedException _) {
                Thread.currentThread().interrupt();
              }
            });
  }

  Path directory() {
    return directory;
  }

  public Path config() {
    return config;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String text =
          exchange.getRequestURI().getPath().equals("/readyz")
              ? "ok"
              : "process_start_time_seconds " + Files.readString(start).strip() + "\n";
      byte[] bytes = text.getBytes(UTF_8);
      exchange.sendResponseHeaders(200, bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    agent.interrupt();
    try {
      agent.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
    local.close();
    door.stop(0);
  }
}
