package io.keyward.node.host;

import java.nio.file.Path;

/// Which plugins of this node an API server uses, and where.
public interface PluginSource {
  String SCHEME = "unix://";

  /// The encryption configuration of its revision.
  byte[] config();

  /// The address of a plugin's socket as this agent sees it.
  String reach(String endpoint);

  /// The same where the node's root directory is to be seen somewhere else.
  static String reach(Path root, String endpoint) {
    return endpoint.startsWith(SCHEME) && root.getNameCount() > 0
        ? SCHEME + root + endpoint.substring(SCHEME.length())
        : endpoint;
  }
}
