package io.keyward.testbed.binary;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// How many bytes may still be written below a directory.
@FunctionalInterface
interface DiskSpace {
  /// Below this a disk counts as full: linking a server needs more.
  long ALMOST_NOTHING = 256L << 20;

  long freeAt(Path directory);

  static long ofFileStore(Path directory) {
    try {
      return Files.getFileStore(directory).getUsableSpace();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }
}
