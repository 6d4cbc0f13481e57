package io.keyward.dev.cluster;

import io.keyward.cli.CommandFailure;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.RandomAccessFile;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;

/// Prints a growing log, whole lines only, each time from where it stopped before.
final class LogReader {
  private static final int CHUNK = 1 << 16;

  private final Path log;
  private final String prefix;
  private final StringBuilder unfinished = new StringBuilder();
  private long position;

  LogReader(Path log, String prefix) {
    this.log = log;
    this.prefix = prefix;
  }

  void printNew(PrintWriter out) {
    try (var file = new RandomAccessFile(log.toFile(), "r")) {
      file.seek(position);
      byte[] chunk = new byte[CHUNK];
      for (int read = file.read(chunk); read > 0; read = file.read(chunk)) {
        position += read;
        // One byte is one character: a chunk may end inside a longer one.
        print(new String(chunk, 0, read, StandardCharsets.ISO_8859_1), out);
      }
      out.flush();
    } catch (IOException e) {
      throw new CommandFailure("cannot read " + log, "keyward dev status", e);
    }
  }

  private void print(String text, PrintWriter out) {
    unfinished.append(text);
    int end = unfinished.indexOf("\n");
    int from = 0;
    for (; end >= 0; end = unfinished.indexOf("\n", from)) {
      byte[] line = unfinished.substring(from, end).getBytes(StandardCharsets.ISO_8859_1);
      out.println(prefix + new String(line, StandardCharsets.UTF_8));
      from = end + 1;
    }
    unfinished.delete(0, from);
  }
}
