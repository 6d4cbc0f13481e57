package io.keyward.it;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;

/// What the build packed for a release.
final class Artefacts {
  static final Path TARGET = Keyward.HOME.getParent();

  private Artefacts() {}

  static Path one(String pattern) {
    var found = new ArrayList<Path>();
    try (DirectoryStream<Path> files = Files.newDirectoryStream(TARGET, pattern)) {
      files.forEach(found::add);
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    if (found.size() != 1) {
      throw new AssertionError(
          "build dist without -Ddist.archives=false; " + pattern + ": " + found);
    }
    return found.getFirst();
  }

  static String version() {
    return Keyward.run("version").out().lines().findFirst().orElseThrow().split(" ", -1)[1];
  }
}
