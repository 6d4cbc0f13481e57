package io.keyward.testbed.binary;

import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.function.Predicate;
import java.util.stream.Stream;

/// Counts what `go` has written to its log so far.
final class BuildCount {
  private static final String STALE = "keyward:stale";

  /// Makes `go list` mark each package that has to be compiled. The program itself is never
  /// installed, and for that alone counts as stale in the eyes of `go`.
  static final String MARK_STALE =
      "{{if and .Stale (ne .StaleReason \"not installed but available in build cache\")}}"
          + STALE
          + "{{end}}";

  private BuildCount() {}

  static long stale(Path log) {
    return count(log, STALE::equals);
  }

  static long downloads(Path log) {
    return count(log, line -> line.startsWith("go: downloading "));
  }

  /// `go build -v` writes the name of each package that it compiles, and nothing for others.
  static long compiled(Path log) {
    return count(log, line -> !line.isBlank() && !line.startsWith("go: ") && !line.startsWith("#"));
  }

  private static long count(Path log, Predicate<String> wanted) {
    try (Stream<String> lines = Files.lines(log, StandardCharsets.ISO_8859_1)) {
      return lines.filter(wanted).count();
    } catch (IOException _) {
      return 0;
    }
  }
}
