package io.keyward.cli.output;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// Whether a person watches. Only then may output move the cursor.
public final class Terminal {
  private Terminal() {}

  public static boolean isStandardOutput() {
    return isTerminal(Path.of("/proc/self/fd/1"));
  }

  static boolean isStandardError() {
    return isTerminal(Path.of("/proc/self/fd/2"));
  }

  private static boolean isTerminal(Path descriptor) {
    try {
      Path target = Files.readSymbolicLink(descriptor);
      return target.startsWith("/dev/pts")
          || target.toString().startsWith("/dev/tty")
          || target.startsWith("/dev/console");
    } catch (IOException | UnsupportedOperationException notLinux) {
      return false;
    }
  }
}
