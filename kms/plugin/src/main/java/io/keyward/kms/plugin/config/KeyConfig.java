package io.keyward.kms.plugin.config;

import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.spi.ProviderSettings;
import java.nio.file.Path;

/// One key: the socket it is served on, the provider that holds it, and what was turned on for it.
public record KeyConfig(
    String name,
    Path socket,
    SocketAccess access,
    String provider,
    ProviderSettings settings,
    KeyOptions options) {
  /// The server binds in a private directory beside the socket, whose path is four bytes longer.
  public static final int MAX_SOCKET_BYTES = PluginEndpoint.MAX_PATH_BYTES - 4;

  /// A key with nothing turned on.
  public KeyConfig(
      String name, Path socket, SocketAccess access, String provider, ProviderSettings settings) {
    this(name, socket, access, provider, settings, KeyOptions.NONE);
  }
}
