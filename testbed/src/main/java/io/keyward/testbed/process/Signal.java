package io.keyward.testbed.process;

import java.io.IOException;

/// Sends signals to process groups. The shell's own `kill` is used: it is there on every Unix,
/// while the program of that name is not.
enum Signal {
  TERM,
  KILL,
  STOP,
  CONT;

  /// Nothing happens where the group is gone already.
  void sendToGroup(long group) {
    run("kill -s " + name() + " -- -" + group);
  }

  private static void run(String command) {
    try {
      new ProcessBuilder("sh", "-c", command)
          .redirectOutput(ProcessBuilder.Redirect.DISCARD)
          .redirectError(ProcessBuilder.Redirect.DISCARD)
          .start()
          .waitFor();
    } catch (IOException e) {
      throw new TestbedException("no shell to send a signal with", "install sh", e);
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
