package io.keyward.cli;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.cli.output.CheckedOutput;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
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
    var out = new ByteArrayOutputStream();
    Result result = run(out, args);
    return new Result(result.exit(), out.toString(UTF_8), result.err());
  }

  /// With a standard output that may fail. What it took is not in the result.
  public static Result run(OutputStream out, String... args) {
    var err = new StringWriter();
    int exit = Keyward.run(new CheckedOutput(out), new PrintWriter(err, true), args);
    return new Result(exit, "", err.toString());
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
