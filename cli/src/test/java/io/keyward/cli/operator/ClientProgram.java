package io.keyward.cli.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/// A client that an administrator uses, built by the testbed.
///
/// @param home where it may write
record ClientProgram(Path program, Path home) {
  /// What a shell would see.
  record Run(int exit, String out, String err) {}

  static ClientProgram of(ServerBinary binary, Path home) {
    return new ClientProgram(ServerBinaries.ofThisMachine().ensure(binary), home);
  }

  Run run(String... words) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of(program.toString()));
    command.addAll(List.of(words));
    Path out = home.resolve("out");
    Path err = home.resolve("err");
    var builder =
        new ProcessBuilder(command).redirectOutput(out.toFile()).redirectError(err.toFile());
    for (String kind : List.of("CACHE", "CONFIG", "DATA")) {
      builder.environment().put("HELM_" + kind + "_HOME", home.resolve(kind).toString());
    }
    int exit = builder.start().waitFor();
    return new Run(exit, Files.readString(out, UTF_8), Files.readString(err, UTF_8));
  }
}
