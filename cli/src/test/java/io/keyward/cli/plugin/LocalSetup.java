package io.keyward.cli.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/// A plugin with one key of the provider local.
record LocalSetup(Path keystore, Path password, Path socket) {
  static LocalSetup in(Path directory) throws IOException {
    Path password = Files.writeString(directory.resolve("password"), "correct horse\n");
    var setup =
        new LocalSetup(directory.resolve("keys.p12"), password, directory.resolve("s.sock"));
    var made =
        Cli.run(
            "keystore",
            "create",
            "--keystore",
            setup.keystore.toString(),
            "--password-file",
            password.toString());
    assertThat(made.exit()).as(made.err()).isZero();
    return setup;
  }

  String config(String moreForTheKey) {
    return """
    keys:
      - name: payments
        socket: %s
        provider: local
        local: {keystore: %s, passwordFile: %s}
    """
            .formatted(socket, keystore, password)
        + moreForTheKey;
  }
}
