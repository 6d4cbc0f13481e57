package io.keyward.kms.client;

import java.nio.file.InvalidPathException;
import java.nio.file.Path;

/// Where a plugin listens: `unix:///var/run/kmsplugin/key.sock`, as in an EncryptionConfiguration.
public record PluginEndpoint(Path socket) {
  /// The kernel has room for 107 bytes in the address of a unix socket, the JDK uses 106 of them.
  public static final int MAX_PATH_BYTES = 106;

  private static final String SCHEME = "unix://";

  /// Reads an endpoint as it stands in a configuration.
  ///
  /// @throws IllegalArgumentException with words for the person who wrote it
  public static PluginEndpoint parse(String text) {
    if (!text.startsWith(SCHEME)) {
      throw new IllegalArgumentException("an endpoint starts with unix:/// and a path: " + text);
    }
    String path = text.substring(SCHEME.length());
    if (path.startsWith("@") || path.startsWith("/@")) {
      throw new IllegalArgumentException("abstract sockets are not supported: " + text);
    }
    if (!path.startsWith("/") || path.length() < 2) {
      throw new IllegalArgumentException(
          "an endpoint has an absolute path, as in unix:///run/key.sock: " + text);
    }
    try {
      return new PluginEndpoint(Path.of(path));
    } catch (InvalidPathException e) {
      throw new IllegalArgumentException("not a path: " + text, e);
    }
  }

  @Override
  public String toString() {
    return SCHEME + socket;
  }
}
