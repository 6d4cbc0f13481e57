package io.keyward.cli;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.output.Document;
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

  ObjectNode document() {
    return Document.of("Version").put("version", version).put("commit", commit).put("jdk", jdk);
  }
}
