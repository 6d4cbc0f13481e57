package io.keyward.testbed;

import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// A distribution of Keyward, whose commands are run as processes.
///
/// @param home where it lies
public record Distribution(Path home) {
  /// Runs a command to its end, which must be a good one.
  public void run(String... words) {
    try {
      Process process = new ProcessBuilder(command(words)).redirectErrorStream(true).start();
      process.getOutputStream().close();
      String said =
          new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      if (process.waitFor() != 0) {
        throw new TestbedException("keyward " + words[0] + " failed", said);
      }
    } catch (IOException e) {
      throw new TestbedException("keyward cannot be started", "build it first", e);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted while keyward ran", "", e);
    }
  }

  /// A command that goes on until it is ended, and ends with this JVM.
  public Launch launch(String name, Path log, String... words) {
    return new Launch(name, command(words), Map.of(), log, Launch.Lifetime.WITH_JVM);
  }

  /// A command that goes on without this JVM.
  public Launch detached(String name, Path log, String... words) {
    return new Launch(name, command(words), Map.of(), log, Launch.Lifetime.DETACHED);
  }

  private List<String> command(String... words) {
    List<String> command = new ArrayList<>();
    command.add(home.resolve("bin").resolve("keyward").toString());
    command.addAll(List.of(words));
    return command;
  }
}
