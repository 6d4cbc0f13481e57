package io.keyward.testbed.binary;

import io.keyward.testbed.process.TestbedException;
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
    return xdg.isEmpty() ? home(environment).resolve(".cache/keyward") : Path.of(xdg, "keyward");
  }

  /// Where `HOME` is not set, for example in a systemd unit, the user database knows it.
  static Path home(Map<String, String> environment) {
    String home = environment.getOrDefault("HOME", "");
    String known = home.isEmpty() ? System.getProperty("user.home", "?") : home;
    if (!known.startsWith("/")) {
      throw new TestbedException(
          "there is no home directory to keep servers in", "set HOME or KEYWARD_CACHE");
    }
    return Path.of(known);
  }
}
