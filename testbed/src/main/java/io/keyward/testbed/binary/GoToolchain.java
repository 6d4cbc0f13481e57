package io.keyward.testbed.binary;

import io.keyward.testbed.process.TestbedException;
import java.io.File;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;

/// The `go` of the PATH.
///
/// @param version all that `go version` says; another compiler means another program
record GoToolchain(Path program, String version) {
  private static final String INSTALL = "install Go 1.26 or newer and put its go on the PATH";

  /// One set of settings for all servers, so that what one compiled serves the next. What a user
  /// set for other work must not change the outcome.
  static final Map<String, String> SETTINGS =
      Map.of(
          "CGO_ENABLED", "0",
          "GOTOOLCHAIN", "local",
          "GOFLAGS", "",
          "GOWORK", "off",
          "GOOS", "",
          "GOARCH", "",
          "GOEXPERIMENT", "");

  static GoToolchain find(Map<String, String> environment) {
    Path program =
        Stream.of(environment.getOrDefault("PATH", "").split(File.pathSeparator))
            .filter(folder -> !folder.isEmpty())
            .map(folder -> Path.of(folder, "go"))
            .filter(file -> Files.isRegularFile(file) && Files.isExecutable(file))
            .findFirst()
            .orElseThrow(() ->
                new TestbedException(
                    "no go on the PATH, and the servers are built from source", INSTALL));
    return new GoToolchain(program, ask(program, environment));
  }

  void require(GoVersion oldest, ServerBinary binary) {
    // "go version go1.26.8 linux/amd64"
    if (GoVersion.parse(version.replaceFirst("^go version ", "")).compareTo(oldest) < 0) {
      throw new TestbedException(
          binary.programName() + " needs Go " + oldest + ", but " + program + " is: " + version,
          "install Go " + oldest + " or newer and put its go first on the PATH");
    }
  }

  private static String ask(Path program, Map<String, String> environment) {
    var builder = new ProcessBuilder(List.of(program.toString(), "version"));
    var settings = new HashMap<>(environment);
    settings.putAll(SETTINGS);
    builder.environment().clear();
    builder.environment().putAll(settings);
    builder.redirectErrorStream(true);
    try {
      Process process = builder.start();
      String answer =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new TestbedException(program + " does not work: " + answer, INSTALL);
      }
      return answer;
    } catch (IOException e) {
      throw new TestbedException(program + " does not start", INSTALL, e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while go told its version", "", e);
    }
  }
}
