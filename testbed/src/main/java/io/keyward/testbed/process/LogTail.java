package io.keyward.testbed.process;

import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.List;

/// The last lines of a log, without reading all of it.
public final class LogTail {
  private static final int WINDOW = 64 * 1024;

  private LogTail() {}

  /// Empty where there is no such file: a server may die before it says a word.
  public static List<String> of(Path log, int lines) {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      long from = Math.max(0, file.length() - WINDOW);
      byte[] window = new byte[(int) (file.length() - from)];
      file.seek(from);
      file.readFully(window);
      List<String> all = new String(window, StandardCharsets.UTF_8).lines().toList();
      return all.subList(Math.max(0, all.size() - lines), all.size());
    } catch (IOException _) {
      return List.of();
    }
  }
}
