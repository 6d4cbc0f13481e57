package io.keyward.testbed.binary;

import java.io.IOException;
import java.io.PrintStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;

/// Where progress is told, and how often: in a terminal one line that changes, elsewhere (a log of
/// CI) a new line now and then.
public record Talk(PrintStream stream, boolean terminal) {
  private static final Path STDERR = Path.of("/proc/self/fd/2");

  public static Talk stderr() {
    return new Talk(System.err, isTerminal());
  }

  Duration interval() {
    return terminal ? Duration.ofSeconds(1) : Duration.ofSeconds(15);
  }

  void say(String line) {
    stream.println(terminal ? "\r\u001b[K" + line : line);
    stream.flush();
  }

  /// A line that the next one replaces, where that is possible.
  void sayMeanwhile(String line) {
    if (terminal) {
      stream.print("\r\u001b[K" + line);
      stream.flush();
    } else {
      say(line);
    }
  }

  private static boolean isTerminal() {
    try {
      String target = Files.readSymbolicLink(STDERR).toString();
      return target.startsWith("/dev/pts/") || target.startsWith("/dev/tty");
    } catch (IOException _) {
      return false;
    }
  }
}
