package io.keyward.testbed.kubeadm;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Path;
import java.util.List;

/// Commands that end by themselves.
final class Commands {
  private static final int TAIL = 20;

  private Commands() {}

  /// What a command printed.
  record Printed(int exitCode, String text) {}

  static Printed run(List<String> command) {
    try {
      Process process =
          new ProcessBuilder(command)
              .redirectErrorStream(true)
              .redirectInput(Path.of("/dev/null").toFile())
              .start();
      String text = new String(process.getInputStream().readAllBytes(), UTF_8);
      return new Printed(process.waitFor(), text);
    } catch (IOException e) {
      throw new TestbedException("cannot run " + command.getFirst(), "install it", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while " + command.getFirst() + " ran", "", e);
    }
  }

  static int exitCode(List<String> command) {
    return run(command).exitCode();
  }

  /// What a command printed that succeeded.
  static String must(String what, List<String> command) {
    Printed printed = run(command);
    if (printed.exitCode() != 0) {
      List<String> lines = printed.text().lines().toList();
      throw new TestbedException(
          what + " failed with exit code " + printed.exitCode(),
          "see its last lines",
          lines.subList(Math.max(0, lines.size() - TAIL), lines.size()));
    }
    return printed.text();
  }
}
