package io.keyward.kms.plugin.config;

import io.keyward.kms.spi.Settings;
import java.nio.file.Path;

/// One key: the socket it is served on, and the provider that holds it.
public record KeyConfig(
    String name, Path socket, SocketAccess access, String provider, Settings settings) {}
