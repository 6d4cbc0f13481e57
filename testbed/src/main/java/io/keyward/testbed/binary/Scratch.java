package io.keyward.testbed.binary;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.stream.Stream;

/// A directory for temporary files of one build. Removed at its end, on Ctrl-C too.
final class Scratch implements AutoCloseable {
  private final Path directory;
  private final Thread onInterrupt = new Thread(this::removeQuietly, "remove-scratch");

  Scratch(Path directory) throws IOException {
    this.directory = directory;
    remove();
    Files.createDirectories(directory);
    Runtime.getRuntime().addShutdownHook(onInterrupt);
  }

  private void remove() throws IOException {
    if (!Files.exists(directory)) {
      return;
    }
    try (Stream<Path> files = Files.walk(directory)) {
      for (Path file : files.sorted(Comparator.reverseOrder()).toList()) {
        Files.deleteIfExists(file);
      }
    }
  }

  /// The compiler may still write; the next build removes what is left.
  private void removeQuietly() {
    try {
      remove();
    } catch (NoSuchFileException | java.nio.file.DirectoryNotEmptyException busy) {
      // Another process is at work in it.
    } catch (IOException e) {
      System.err.println("keyward: cannot remove " + directory + ": " + e.getMessage());
    }
  }

  @Override
  public void close() throws IOException {
    try {
      Runtime.getRuntime().removeShutdownHook(onInterrupt);
    } catch (IllegalStateException ending) {
      // The hook is at work already.
      return;
    }
    remove();
  }
}
