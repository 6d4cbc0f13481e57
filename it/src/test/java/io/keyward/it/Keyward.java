package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;

/// Runs the distribution's command as a person would.
record Keyward(int exitCode, String out, String err) {
  static final Path HOME =
      Path.of(System.getProperty("keyward.home", "../dist/target/keyward"))
          .toAbsolutePath()
          .normalize();

  static Keyward run(String... arguments) {
    return fed(Path.of("/dev/null"), arguments);
  }

  static List<String> command(String... arguments) {
    var command = new ArrayList<>(List.of(HOME.resolve("bin/keyward").toString()));
    command.addAll(List.of(arguments));
    return command;
  }

  /// With a file as standard input.
  static Keyward fed(Path input, String... arguments) {
    return process(input, command(arguments));
  }

  static Keyward process(Path input, List<String> command) {
    try {
      Process process = new ProcessBuilder(command).redirectInput(input.toFile()).start();
      process.getOutputStream().close();
      var out = new StringBuilder();
      Thread reader = Thread.ofVirtual().start(() -> out.append(text(process.getInputStream())));
      String err = text(process.getErrorStream());
      reader.join();
      if (!process.waitFor(2, TimeUnit.MINUTES)) {
        process.destroyForcibly();
        throw new AssertionError("keyward does not end: " + command);
      }
      return new Keyward(process.exitValue(), out.toString(), err);
    } catch (IOException e) {
      throw new AssertionError("cannot run keyward", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new AssertionError("interrupted", e);
    }
  }

  private static String text(java.io.InputStream stream) {
    try {
      return new String(stream.readAllBytes(), UTF_8);
    } catch (IOException e) {
      throw new java.io.UncheckedIOException(e);
    }
  }
}
