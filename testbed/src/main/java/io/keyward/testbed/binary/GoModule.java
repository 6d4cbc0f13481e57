package io.keyward.testbed.binary;

import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.SortedMap;
import java.util.TreeMap;

/// The files that fix every source a server is built from.
///
/// @param own the sources of a program that is part of the testbed, by file name; none for servers
///   that are dependencies
record GoModule(String mod, String sum, SortedMap<String, String> own) {
  private static final String ROOT = "/io/keyward/testbed/servers/";

  static GoModule load(ServerBinary.Module module) {
    String folder = ROOT + module.folder();
    var own = new TreeMap<String, String>();
    module.ownSources().forEach(name -> own.put(name, resource(folder + "/" + name)));
    return new GoModule(resource(folder + "/go.mod"), resource(folder + "/go.sum"), own);
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
    for (var source : own.entrySet()) {
      Files.writeString(directory.resolve(source.getKey()), source.getValue());
    }
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
