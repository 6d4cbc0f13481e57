package io.keyward.it;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Collectors;
import java.util.stream.Stream;

/// The jars with which a checkout extends the distribution.
final class CheckoutJars {
  private static final Path TARGET = Path.of("..", "dev", "target");

  private CheckoutJars() {}

  /// Copies them to where every user may read them.
  ///
  /// @return their class path
  static String copiedTo(Path directory) throws IOException {
    var copies = new ArrayList<Path>();
    for (Path jar : all()) {
      Path copy = directory.resolve(jar.getFileName());
      copies.add(Files.copy(jar, copy, StandardCopyOption.REPLACE_EXISTING));
    }
    return copies.stream().map(Path::toString).collect(Collectors.joining(":"));
  }

  static List<Path> all() throws IOException {
    var all = new ArrayList<Path>();
    try (Stream<Path> built = Files.list(TARGET)) {
      built
          .filter(file -> file.getFileName().toString().matches("keyward-dev-.*\\.jar"))
          .forEach(all::add);
    }
    for (String jar : Files.readString(TARGET.resolve("classpath")).strip().split(":", -1)) {
      all.add(Path.of(jar));
    }
    return all;
  }
}
