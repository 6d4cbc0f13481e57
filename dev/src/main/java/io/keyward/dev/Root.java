package io.keyward.dev;

import io.keyward.cli.CommandFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Commands that start nodes on this machine mount file systems, which only root may.
public final class Root {
  private Root() {}

  /// Fails at once, before anything is built.
  public static void require(String command) {
    try {
      Object user = Files.getAttribute(Path.of("/proc/self"), "unix:uid");
      if (!Integer.valueOf(0).equals(user)) {
        throw new CommandFailure(
            command + " needs root: its nodes have mount namespaces of their own",
            "run it as root, for example: sudo keyward " + command);
      }
    } catch (IOException | UnsupportedOperationException e) {
      throw new CommandFailure(command + " needs Linux", "run it on a Linux machine", e);
    }
  }
}
