package io.keyward.kms.plugin.revision;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;

/// The files of a revision: one for each data key of its Secret.
public record RevisionDirectory(Path path) {
  /// A Secret has at most 1 MiB.
  private static final int MOST = 1 << 20;

  /// Empty where there is no such file.
  ///
  /// @throws IOException if it cannot be read, or is larger than a Secret
  Optional<String> text(String name) throws IOException {
    Path file = file(name);
    if (Files.notExists(file)) {
      return Optional.empty();
    }
    if (Files.size(file) > MOST) {
      throw new IOException("larger than a Secret");
    }
    return Optional.of(Files.readString(file));
  }

  boolean has(String name) {
    return Files.isRegularFile(file(name));
  }

  Path file(String name) {
    return path.resolve(name);
  }
}
