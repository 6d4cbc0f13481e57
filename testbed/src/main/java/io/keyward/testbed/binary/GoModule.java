package io.keyward.testbed.binary;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;

/// The two files that fix every source a server is built from.
record GoModule(String mod, String sum) {
  private static final String ROOT = "/io/keyward/testbed/servers/";

  static GoModule load(ServerBinary.Module module) {
    String folder = ROOT + module.folder();
    return new GoModule(resource(folder + "/go.mod"), resource(folder + "/go.sum"));
  }

  /// The oldest Go that can build it.
  GoVersion oldestGo() {
    return mod.lines()
        .filter(line -> line.startsWith("go "))
        .findFirst()
        .map(line -> GoVersion.parse(line.substring("go ".length())))
        .orElseThrow(() -> new IllegalStateException("go.mod without a go line"));
  }

  void writeTo(Path directory) throws IOException {
    Files.createDirectories(directory);
    Files.writeString(directory.resolve("go.mod"), mod);
    Files.writeString(directory.resolve("go.sum"), sum);
  }

  private static String resource(String name) {
    try (InputStream in = GoModule.class.getResourceAsStream(name)) {
      if (in == null) {
        throw new IllegalStateException("no resource " + name);
      }
      return new String(in.readAllBytes(), StandardCharsets.UTF_8);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
