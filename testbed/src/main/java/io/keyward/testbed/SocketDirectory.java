package io.keyward.testbed;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// Finds a place for unix sockets. The kernel allows 107 bytes for a socket's whole path, and test
/// directories are often longer.
final class SocketDirectory {
  /// Leaves room for the socket's own name.
  private static final int LONGEST = 64;

  private static final Path SHORT_ROOT = Path.of("/tmp");

  private SocketDirectory() {}

  static Path at(Path wanted) {
    if (wanted.toString().getBytes(StandardCharsets.UTF_8).length <= LONGEST) {
      return ControlPlaneHome.createPrivate(wanted);
    }
    try {
      // Temporary directories are made with mode 0700.
      Path real = Files.createTempDirectory(SHORT_ROOT, "kw-");
      Files.deleteIfExists(wanted);
      return Files.readSymbolicLink(Files.createSymbolicLink(wanted, real));
    } catch (IOException e) {
      throw new TestbedException("cannot create a directory for sockets", "look at /tmp", e);
    }
  }

  /// The short directory is not below the control plane's own and needs its own end.
  static void remove(Path directory) {
    if (directory.getParent() != null && directory.getParent().equals(SHORT_ROOT)) {
      Trees.delete(directory);
    }
  }
}
