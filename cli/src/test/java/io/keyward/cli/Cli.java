package io.keyward.cli;

import java.io.IOException;
import java.io.InputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Objects;
import java.util.zip.GZIPInputStream;

/// Runs the command line inside the test, and unpacks the vectors it reads.
public final class Cli {
  /// What a shell would see.
  public record Result(int exit, String out, String err) {}

  private Cli() {}

  public static Result run(String... args) {
    var out = new StringWriter();
    var err = new StringWriter();
    int exit =
        Keyward.commandLine(args)
            .setOut(new PrintWriter(out, true))
            .setErr(new PrintWriter(err, true))
            .execute(args);
    return new Result(exit, out.toString(), err.toString());
  }

  public static Path vector(String name, Path directory) {
    Path unpacked = directory.resolve(name);
    try (InputStream packed =
        new GZIPInputStream(
            Objects.requireNonNull(Cli.class.getResourceAsStream("/vectors/" + name + ".gz")))) {
      Files.copy(packed, unpacked);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    return unpacked;
  }
}
