package io.keyward.node.plugin;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Optional;
import java.util.Set;

/// Whether a path is a socket that an API server can use and nobody else abuses.
public final class SocketCheck {
  private static final int TYPE = 0170000;
  private static final int SOCKET = 0140000;

  private SocketCheck() {}

  /// In words, with what to do.
  static Optional<String> problem(Path path) {
    try {
      if (!Files.exists(path)) {
        return Optional.of(path + " does not exist; start the plugin on this node");
      }
      int mode = (int) Files.getAttribute(path, "unix:mode");
      if ((mode & TYPE) != SOCKET) {
        return Optional.of(path + " is not a socket; correct the endpoint");
      }
      Set<PosixFilePermission> allowed =
          Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS);
      Path directory = path.toAbsolutePath().getParent();
      boolean isOpen =
          allowed.contains(PosixFilePermission.OTHERS_WRITE)
              && directory != null
              && Files.getPosixFilePermissions(directory)
                  .contains(PosixFilePermission.OTHERS_EXECUTE);
      if (isOpen) {
        return Optional.of(
            "every user of this node can access " + path + "; restrict its permissions to root");
      }
      return Files.isWritable(path)
          ? Optional.empty()
          : Optional.of(
              path + " is not writable for the user of the node agent; change its owner or mode");
    } catch (IOException | UnsupportedOperationException e) {
      return Optional.of(path + " cannot be read: " + e.getMessage());
    }
  }
}
