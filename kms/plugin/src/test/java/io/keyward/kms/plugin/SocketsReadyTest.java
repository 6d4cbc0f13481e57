package io.keyward.kms.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.client.SocketsReady;
import io.keyward.kms.plugin.CrookedPlugin.Fault;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// As the kubelet runs it: a process of its own, with one jar on its class path.
final class SocketsReadyTest {
  @TempDir private Path directory;

  private int exit(Path... sockets) throws IOException, InterruptedException {
    Path classes =
        Path.of(SocketsReady.class.getProtectionDomain().getCodeSource().getLocation().getPath());
    var command = new ArrayList<String>();
    command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
    command.addAll(List.of("-cp", classes.toString(), SocketsReady.class.getName()));
    for (Path socket : sockets) {
      command.add(socket.toString());
    }
    Process process =
        new ProcessBuilder(command)
            .redirectErrorStream(true)
            .redirectOutput(directory.resolve("log").toFile())
            .start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  @Test
  void everySocketMustAcceptConnections() throws Exception {
    Path one = directory.resolve("one");
    Path two = directory.resolve("two");
    Path file = Files.writeString(directory.resolve("file"), "no socket");
    try (var _ = new CrookedPlugin(one, Fault.UNHEALTHY);
        var _ = new CrookedPlugin(two, Fault.NONE)) {
      assertThat(exit(one, two)).isZero();
      assertThat(exit(one, directory.resolve("none"), two)).isEqualTo(1);
      assertThat(Files.readString(directory.resolve("log")).strip())
          .isEqualTo("no plugin accepts connections on " + directory.resolve("none"));
      assertThat(exit(file)).isEqualTo(1);
    }
    assertThat(exit(one)).as("nobody listens any more").isEqualTo(1);
    assertThat(exit()).isZero();
  }
}
