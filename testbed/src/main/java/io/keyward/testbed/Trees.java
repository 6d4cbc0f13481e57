package io.keyward.testbed;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.stream.Stream;

/// Deletes directories with all that is in them.
public final class Trees {
  private Trees() {}

  /// Symbolic links are deleted, not followed.
  public static void delete(Path root) {
    try (Stream<Path> all = Files.walk(root)) {
      List<Path> deepestFirst = all.sorted(Comparator.reverseOrder()).toList();
      for (Path path : deepestFirst) {
        Files.deleteIfExists(path);
      }
    } catch (NoSuchFileException _) {
      // Nothing to delete.
    } catch (IOException e) {
      throw new TestbedException("cannot delete " + root, "delete it by hand", e);
    }
  }
}
