package io.keyward.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.cli.output.CheckedOutput;
import io.keyward.cli.output.Logs;
import java.io.OutputStream;
import java.io.PrintWriter;

/// Runs several commands in one process and drops their output. Only the build uses it: the JVM
/// writes one AOT cache per process, and one cache for all short commands needs all of them.
final class Training {
  private Training() {}

  /// @param lines one command each, words separated by blanks
  static void main(String[] lines) {
    Logs.setUp();
    var err = new PrintWriter(System.err, true, UTF_8);
    // What Main does itself for `keyward version`.
    err.println(Version.current().table());
    for (String line : lines) {
      var out = new CheckedOutput(OutputStream.nullOutputStream());
      int code = Keyward.run(out, err, line.split(" "));
      err.println("training: " + line + " ended with " + code);
    }
  }
}
