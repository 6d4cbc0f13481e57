package io.keyward.testbed;

import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.pki.Pki;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;

/// What the servers of one control plane have in common.
record ControlPlaneHome(
    Path directory, ServerBinaries binaries, Pki pki, Launch.Lifetime lifetime) {
  Launch launch(String name, ServerBinary binary, List<String> arguments) {
    return launch(name, binary, arguments, Map.of());
  }

  Launch launch(
      String name, ServerBinary binary, List<String> arguments, Map<String, String> environment) {
    List<String> command = new ArrayList<>();
    command.add(binaries.ensure(binary).toString());
    command.addAll(arguments);
    return new Launch(name, command, environment, log(name), lifetime);
  }

  Path log(String name) {
    return directory.resolve("logs").resolve(name + ".log");
  }

  static Path createPrivate(Path directory) {
    try {
      Files.createDirectories(directory);
      return Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException e) {
      throw new TestbedException(
          "cannot create " + directory, "use a directory that you may write to", e);
    }
  }
}
