package io.keyward.dev;

import io.keyward.cli.CommandFailure;
import java.nio.file.Files;
import java.nio.file.Path;

/// Where the distribution lies that this process runs from.
public final class Home {
  private Home() {}

  public static Path ofThisProcess() {
    String home = System.getProperty("keyward.home");
    if (home == null || !Files.isExecutable(Path.of(home, "bin", "keyward"))) {
      throw new CommandFailure(
          "this command starts others and must be started by the keyward launcher",
          "run: ./keyward");
    }
    return Path.of(home);
  }
}
