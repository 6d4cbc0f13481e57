package io.keyward.it;

import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// A containerd of one test: its images, containers and socket are below one directory.
final class PrivateContainerd implements AutoCloseable {
  private static final Duration LIMIT = Duration.ofSeconds(30);

  private final Process process;
  private final String socket;
  private final List<String> started = new ArrayList<>();

  private PrivateContainerd(Process process, String socket) {
    this.process = process;
    this.socket = socket;
  }

  static PrivateContainerd start(Path directory) throws IOException {
    Path settings =
        Files.writeString(
            directory.resolve("containerd.toml"),
            """
            version = 2
            root = "%1$s/root"
            state = "%1$s/state"
            disabled_plugins = ["io.containerd.grpc.v1.cri"]
            [grpc]
              address = "%1$s/socket"
            """
                .formatted(directory));
    var builder = new ProcessBuilder("containerd", "--config", settings.toString());
    builder
        .environment()
        .keySet()
        .removeIf(name -> name.toLowerCase(java.util.Locale.ROOT).endsWith("_proxy"));
    Process process =
        builder.redirectErrorStream(true).redirectOutput(directory.resolve("log").toFile()).start();
    var containerd = new PrivateContainerd(process, directory.resolve("socket").toString());
    if (!Waiting.until(() -> containerd.ctr("version").exitCode() == 0, LIMIT)) {
      containerd.close();
      throw new AssertionError(
          "containerd does not start: " + Files.readString(directory.resolve("log")));
    }
    return containerd;
  }

  Keyward ctr(String... arguments) {
    var command = new ArrayList<>(List.of("ctr", "--address", socket, "--namespace", "keyward"));
    command.addAll(List.of(arguments));
    return Keyward.process(Path.of("/dev/null"), command);
  }

  /// Starts a container that stays. It is stopped by [#close()] at the latest.
  void detach(String id, List<String> options, String image, List<String> command) {
    var words = new ArrayList<>(List.of("run", "--detach", "--read-only"));
    words.addAll(options);
    words.addAll(List.of(image, id));
    words.addAll(command);
    started.add(id);
    Keyward run = ctr(words.toArray(String[]::new));
    if (run.exitCode() != 0) {
      throw new AssertionError("the container does not start: " + run.err());
    }
  }

  @Override
  public void close() {
    for (String id : started) {
      var _ = ctr("task", "rm", "--force", id);
      var _ = ctr("container", "rm", id);
    }
    process.destroy();
    try {
      if (!process.waitFor(20, TimeUnit.SECONDS)) {
        process.destroyForcibly();
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      process.destroyForcibly();
    }
  }
}
