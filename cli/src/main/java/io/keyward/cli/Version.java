package io.keyward.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.util.Properties;

/// What runs here. The build writes the version and the commit.
///
/// @param commit "unknown" if this was not built from a checkout
public record Version(String version, String commit, String jdk) {
  public static Version current() {
    var built = new Properties();
    try (InputStream in = Version.class.getResourceAsStream("version.properties")) {
      built.load(in);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return new Version(
        built.getProperty("version", "unknown"),
        built.getProperty("commit", "unknown"),
        System.getProperty("java.runtime.version")
            + " ("
            + System.getProperty("java.vendor")
            + ")");
  }

  String table() {
    return "keyward " + version + "\ncommit  " + commit + "\nJDK     " + jdk + "\n";
  }

  /// None of the values needs an escape.
  String yaml() {
    return "version: \"%s\"\ncommit: \"%s\"\njdk: \"%s\"\n".formatted(version, commit, jdk);
  }
}
