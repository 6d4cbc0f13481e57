package io.keyward.testbed.binary;

import java.nio.file.Path;
import java.util.Map;

/// Where programs for tests are kept between runs.
final class CacheDirectory {
  private CacheDirectory() {}

  static Path of(Map<String, String> environment) {
    String own = environment.getOrDefault("KEYWARD_CACHE", "");
    if (!own.isEmpty()) {
      return Path.of(own);
    }
    String xdg = environment.getOrDefault("XDG_CACHE_HOME", "");
    return xdg.isEmpty()
        ? Path.of(environment.getOrDefault("HOME", "."), ".cache", "keyward")
        : Path.of(xdg, "keyward");
  }
}
