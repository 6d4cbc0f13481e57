package io.keyward.node.host;

import io.keyward.core.sidecar.Sidecars;
import java.nio.file.Path;

/// Which plugins of this node an API server uses, and where.
public interface PluginSource {
  String SCHEME = "unix://";

  /// The encryption configuration of its revision.
  byte[] config();

  /// The address of a plugin's socket as this agent sees it.
  String reach(String endpoint);

  /// The containers of plugins that Keyward runs beside the API server.
  default Sidecars sidecars() {
    return Sidecars.NONE;
  }

  /// A path of the node as this agent sees it.
  default Path locate(Path path) {
    return path;
  }

  /// The address of a socket where the node's root directory is to be seen somewhere else.
  static String reach(Path root, String endpoint) {
    return endpoint.startsWith(SCHEME) && root.getNameCount() > 0
        ? SCHEME + root + endpoint.substring(SCHEME.length())
        : endpoint;
  }
}
