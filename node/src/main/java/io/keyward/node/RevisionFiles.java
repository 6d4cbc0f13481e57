package io.keyward.node;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;

/// The configuration on this node's disk, and beside it the number of its revision.
///
/// Both are replaced in one step each and are for their owner alone. The number comes last: where
/// it stands, the configuration is complete.
final class RevisionFiles {
  private final Path config;
  private final Path number;

  RevisionFiles(Path config) {
    this.config = config.toAbsolutePath();
    this.number = this.config.resolveSibling(config.getFileName() + ".revision");
  }

  /// 0 where nothing was brought here yet.
  long revision() {
    try {
      String text = Files.exists(number) ? Files.readString(number).strip() : "0";
      return text.length() < 19 && text.chars().allMatch(c -> c >= '0' && c <= '9')
          ? Long.parseLong(text)
          : 0;
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + number, e);
    }
  }

  /// An API server that started after this time has read it.
  Instant writtenAt() {
    try {
      return Files.getLastModifiedTime(number).toInstant();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + number, e);
    }
  }

  byte[] content() {
    try {
      return Files.readAllBytes(config);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + config, e);
    }
  }

  void write(long revision, byte[] content) {
    replace(config, content);
    replace(number, (revision + "\n").getBytes(java.nio.charset.StandardCharsets.US_ASCII));
  }

  private static void replace(Path file, byte[] content) {
    Path directory = file.getParent();
    try {
      Path partial =
          Files.createTempFile(
              directory,
              "." + file.getFileName(),
              ".partial",
              PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-------")));
      Files.write(partial, content);
      try (var channel = FileChannel.open(partial, StandardOpenOption.WRITE)) {
        channel.force(true);
      }
      Files.move(partial, file, StandardCopyOption.ATOMIC_MOVE);
    } catch (IOException e) {
      throw new UncheckedIOException("cannot write " + file, e);
    }
  }
}
