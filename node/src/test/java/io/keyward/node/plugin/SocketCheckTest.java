package io.keyward.node.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public final class SocketCheckTest {
  @TempDir private Path directory;

  @Test
  void nothingThere() {
    assertThat(SocketCheck.problem(directory.resolve("a")))
        .hasValueSatisfying(
            words -> assertThat(words).contains("does not exist", "start the plugin"));
  }

  @Test
  void aFile() throws IOException {
    assertThat(SocketCheck.problem(Files.createFile(directory.resolve("a"))))
        .hasValueSatisfying(words -> assertThat(words).contains("is not a socket"));
  }

  @Test
  void aSocket() throws IOException {
    Path path = directory.resolve("a");
    try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
      server.bind(UnixDomainSocketAddress.of(path));
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rw-------"));
      assertThat(SocketCheck.problem(path)).isEmpty();
      Files.setPosixFilePermissions(path, PosixFilePermissions.fromString("rwxrwxrwx"));
      // A directory that others cannot enter protects what is in it.
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
      assertThat(SocketCheck.problem(path)).isEmpty();
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwxr-xr-x"));
      assertThat(SocketCheck.problem(path))
          .hasValueSatisfying(
              words -> assertThat(words).contains("every user of this node can access"));
    }
  }
}
