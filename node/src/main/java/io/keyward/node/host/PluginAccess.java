package io.keyward.node.host;

import io.keyward.core.sidecar.PluginFiles;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;

/// Shares files of root with the plugins beside the API server, which are not root.
public final class PluginAccess {
  private PluginAccess() {}

  /// Gives a file or a directory to the group of the plugins.
  ///
  /// @param mode as `ls` prints it, for example `r--r-----`
  public static void share(Path path, String mode) throws IOException {
    Files.setAttribute(path, "unix:gid", PluginFiles.USER);
    Files.setPosixFilePermissions(path, PosixFilePermissions.fromString(mode));
  }
}
