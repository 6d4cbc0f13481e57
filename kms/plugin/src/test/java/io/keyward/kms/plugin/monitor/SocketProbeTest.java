package io.keyward.kms.plugin.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Failures on real sockets. That a plugin answers is in SidecarTest.
final class SocketProbeTest {
  @TempDir private Path directory;

  private static String failure(String endpoint) {
    ProbeOutcome outcome = new SocketProbe().status(endpoint, Duration.ofSeconds(1));
    return outcome instanceof ProbeOutcome.Failure(var words) ? words : "answered";
  }

  private static String failure(Path socket) {
    return failure("unix://" + socket);
  }

  @Test
  void theSameFailureHasTheSameWords() throws IOException {
    Path socket = directory.resolve("s");
    assertThat(failure(socket))
        .isEqualTo(socket + " does not exist; check the container of the plugin");
    Files.writeString(socket, "no socket");
    assertThat(failure(socket)).isEqualTo(socket + " is not a socket; correct the endpoint");
    Files.delete(socket);
    try (var _ = listener(socket)) {
      assertThat(failure(socket))
          .isEqualTo("the plugin does not respond: no answer within 1 s; check whether it hangs")
          .isEqualTo(failure(socket));
    }
    assertThat(failure(socket))
        .isEqualTo("no plugin responds at the socket; check the container of the plugin");
    assertThat(failure("tcp://127.0.0.1")).contains("an endpoint starts with unix:///");
  }

  private static ServerSocketChannel listener(Path socket) throws IOException {
    return ServerSocketChannel.open(StandardProtocolFamily.UNIX)
        .bind(UnixDomainSocketAddress.of(socket));
  }
}
