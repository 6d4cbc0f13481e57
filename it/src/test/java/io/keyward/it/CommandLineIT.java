package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.KeywardPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Every wrong flag, file, socket, key store and password gets one clear sentence and its exit
/// code.
final class CommandLineIT {
  @TempDir private Path directory;

  @BeforeEach
  void password() throws IOException {
    Files.writeString(directory.resolve("password"), "secret words\n");
    Files.writeString(directory.resolve("wrong"), "other words\n");
    Files.writeString(directory.resolve("empty"), "");
  }

  private Keyward keystore(String verb, String file, String password, String... more) {
    var arguments =
        new java.util.ArrayList<>(
            List.of(
                "keystore",
                verb,
                "--keystore",
                directory.resolve(file).toString(),
                "--password-file",
                directory.resolve(password).toString()));
    arguments.addAll(List.of(more));
    return Keyward.run(arguments.toArray(String[]::new));
  }

  private static void refused(Keyward result, int code, String words) {
    assertThat(result.err()).contains(words).doesNotContain("at io.keyward", "Exception");
    assertThat(result.exitCode()).isEqualTo(code);
    assertThat(result.out()).isEmpty();
  }

  @Test
  void aKeyStoreLivesThroughCreateRotateAndList() throws IOException {
    assertThat(keystore("create", "keys", "password", "--key", "payments").exitCode()).isZero();
    assertThat(keystore("rotate", "keys", "password", "--key", "payments").err())
        .contains("made version 2 of key payments");
    Keyward list = keystore("list", "keys", "password", "-o", "json");
    var rows = new ObjectMapper().readTree(list.out()).get("keys");
    assertThat(rows).hasSize(2);
    assertThat(rows.get(1).get("version").asInt()).isEqualTo(2);
    assertThat(rows.get(0).get("keyId").asText()).startsWith("kw1-");
    assertThat(keystore("list", "keys", "password").out()).contains("KEY", "payments");
  }

  @Test
  void keyStoreMistakesAreExplained() throws IOException {
    keystore("create", "keys", "password");
    refused(keystore("create", "keys", "password"), 2, "already has a key default");
    refused(keystore("rotate", "keys", "wrong"), 2, "the password does not open it");
    refused(keystore("rotate", "none", "password"), 2, "it does not exist");
    refused(keystore("rotate", "keys", "empty"), 2, "is empty");
    refused(keystore("rotate", "keys", "nowhere"), 2, "does not exist");
    refused(keystore("rotate", "keys", "password", "--key", "x"), 2, "it has no key x");
    refused(keystore("rotate", "keys", "password", "--key", "X Y"), 64, "a key name has");
    refused(Keyward.run("keystore"), 64, "say which: create, rotate or list");
    Files.writeString(directory.resolve("damaged"), "no key store");
    refused(keystore("list", "damaged", "password"), 2, "damaged");
  }

  @Test
  void usageMistakesAreExplained() {
    refused(Keyward.run(), 64, "Usage: keyward");
    refused(Keyward.run("plugn"), 64, "plugn");
    refused(
        Keyward.run("plugin"), 64, "use --config FILE, --revision DIR, or --socket and --provider");
    refused(Keyward.run("plugin", "--config", "x", "--socket", "/s"), 64, "not both");
    refused(
        Keyward.run("plugin", "--config", "/nowhere.yaml"), 2, "there is no file /nowhere.yaml");
    refused(Keyward.run("preflight"), 64, "--endpoint");
    refused(Keyward.run("preflight", "--endpoint", "/run/s"), 64, "starts with unix:///");
    refused(
        Keyward.run("preflight", "--endpoint", "unix:///s", "--timeout", "soon"),
        64,
        "number and a unit");
  }

  @Test
  void pluginMistakesNameTheFlagOrTheLine() throws IOException {
    refused(
        Keyward.run("plugin", "--socket", "relative", "--provider", "local"),
        2,
        "--socket: setting 'socket' must be an absolute path");
    refused(
        Keyward.run("plugin", "--socket", "/run/s", "--provider", "local", "--set", "keystor=/k"),
        2,
        "--set keystor: unknown setting 'keystor' of provider local; did you mean 'keystore'?");
    Path config = directory.resolve("plugin.yaml");
    Files.writeString(config, "keys:\n  - name: a\n    sokket: /run/s\n");
    refused(
        Keyward.run("plugin", "--config", config.toString()),
        2,
        "plugin.yaml:3: unknown setting 'sokket' of the key; did you mean 'socket'?");
    keystore("create", "keys", "password");
    Files.writeString(config, config("s", "wrong"));
    refused(
        Keyward.run("plugin", "--config", config.toString()), 2, "the password does not open it");
    Files.writeString(directory.resolve("s"), "in the way");
    Files.writeString(config, config("s", "password"));
    refused(Keyward.run("plugin", "--config", config.toString()), 2, "is not a socket");
    assertThat(directory.resolve("s")).hasContent("in the way");
    assertThat(Keyward.run("plugin", "--config", config.toString(), "--check").exitCode()).isZero();
  }

  private String config(String socket, String password) {
    return """
    listen: 127.0.0.1:0
    logFormat: json
    keys:
      - name: default
        socket: %1$s/%2$s
        provider: local
        local: {keystore: %1$s/keys, passwordFile: %1$s/%3$s}
    """
        .formatted(directory, socket, password);
  }

  @Test
  void aPluginIsTriedStoppedAndLeavesNothing() throws Exception {
    keystore("create", "keys", "password");
    Path config = Files.writeString(directory.resolve("plugin.yaml"), config("s", "password"));
    String endpoint = "unix://" + directory.resolve("s");
    Path log = directory.resolve("plugin.yaml.log");
    try (var plugin = KeywardPlugin.start(Keyward.HOME, config, Map.of())) {
      Keyward preflight =
          Keyward.run(
              "preflight",
              "--endpoint",
              endpoint,
              "--timeout",
              "60s",
              "--slow",
              "30s",
              "-o",
              "json");
      assertThat(preflight.err()).isEmpty();
      var report = new ObjectMapper().readTree(preflight.out());
      assertThat(report.get("passed").asBoolean()).isTrue();
      assertThat(report.get("keyId").asText()).startsWith("kw1-");
      assertThat(preflight.exitCode()).isZero();
      assertThat(mode(directory.resolve("s"))).isEqualTo("rw-------");

      refused(
          Keyward.run("plugin", "--config", config.toString()),
          2,
          "another process already serves");

      plugin.process().stop();
      assertThat(plugin.process().exitCode()).contains(0);
    }
    assertThat(directory.resolve("s")).doesNotExist();
    for (String line : Files.readAllLines(log)) {
      assertThat(new ObjectMapper().readTree(line).get("level").asText()).isIn("INFO", "WARN");
      assertThat(line).doesNotContain("secret words");
    }
    Keyward gone = Keyward.run("preflight", "--endpoint", endpoint, "--timeout", "1s");
    assertThat(gone.exitCode()).isEqualTo(1);
    assertThat(gone.out()).contains("there is no file at this path").contains("What to do:");
  }

  @Test
  void aPluginThatWasKilledIsReplaced() throws Exception {
    keystore("create", "keys", "password");
    Path config = Files.writeString(directory.resolve("plugin.yaml"), config("s", "password"));
    try (var plugin = KeywardPlugin.start(Keyward.HOME, config, Map.of())) {
      Awaitility.await()
          .atMost(Duration.ofSeconds(60))
          .until(() -> Files.exists(directory.resolve("s")));
      plugin.process().kill();
    }
    String endpoint = "unix://" + directory.resolve("s");
    Keyward dead = Keyward.run("preflight", "--endpoint", endpoint, "--timeout", "1s");
    assertThat(dead.out()).contains("no process listens");
    try (var _ = KeywardPlugin.start(Keyward.HOME, config, Map.of())) {
      Keyward alive =
          Keyward.run("preflight", "--endpoint", endpoint, "--timeout", "60s", "--slow", "30s");
      assertThat(alive.out()).contains("PASSED");
    }
  }

  private static String mode(Path path) throws IOException {
    return PosixFilePermissions.toString(Files.getPosixFilePermissions(path));
  }

  @Test
  void helpOfEveryCommandHasExamples() {
    for (String command :
        List.of("plugin", "preflight", "keystore", "inspect", "audit", "recover", "config")) {
      Keyward help = Keyward.run(command, "--help");
      assertThat(help.exitCode()).isZero();
      assertThat(help.out()).contains("Examples:");
    }
  }
}
