package io.keyward.testbed.process;

import java.nio.file.Path;
import java.util.List;
import java.util.Map;

/// How a server is started.
///
/// @param name what people call it, for messages
/// @param environment added to the environment of this JVM
/// @param log where both outputs go; appended to
/// @param lifetime whether the server ends with this JVM
public record Launch(
    String name,
    List<String> command,
    Map<String, String> environment,
    Path log,
    Lifetime lifetime) {
  public enum Lifetime {
    /// Killed when this JVM is gone. For tests.
    WITH_JVM,
    /// Goes on without this JVM and without the shell it was started from. For `keyward dev`.
    DETACHED
  }

  public Launch {
    command = List.copyOf(command);
    environment = Map.copyOf(environment);
    if (command.isEmpty()) {
      throw new IllegalArgumentException("a launch needs a command");
    }
  }
}
