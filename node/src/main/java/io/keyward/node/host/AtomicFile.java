package io.keyward.node.host;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Arrays;
import java.util.Objects;

/// Replaces a file in one step, for its owner alone, and on the disk when it returns.
public final class AtomicFile {
  private AtomicFile() {}

  public static void write(Path file, byte[] content) {
    write(file, content, () -> true);
  }

  /// Only where the file still has the expected content.
  ///
  /// @return whether it was replaced
  static boolean replace(Path file, byte[] expected, byte[] content) {
    return write(file, content, () -> Arrays.equals(Files.readAllBytes(file), expected));
  }

  private interface Precondition {
    boolean holds() throws IOException;
  }

  private static boolean write(Path file, byte[] content, Precondition precondition) {
    Path directory = Objects.requireNonNull(file.toAbsolutePath().getParent(), "a file");
    try {
      Path partial =
          Files.createTempFile(
              directory,
              "." + file.getFileName(),
              ".partial",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      try {
        Files.write(partial, content);
        force(partial, StandardOpenOption.WRITE);
        if (!precondition.holds()) {
          return false;
        }
        Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
      } finally {
        // It may hold keys, and there would be another one with each try.
        Files.deleteIfExists(partial);
      }
      force(directory, StandardOpenOption.READ);
      return true;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }

  private static void force(Path path, StandardOpenOption how) throws IOException {
    try (var channel = FileChannel.open(path, how)) {
      channel.force(true);
    }
  }
}
