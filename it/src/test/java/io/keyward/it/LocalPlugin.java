package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.client.PluginStatus;
import io.keyward.testbed.KeywardPlugin;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;

/// A plugin process with the local provider and a key store of its own.
final class LocalPlugin implements AutoCloseable {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  private final Path directory;
  private KeywardPlugin process;

  LocalPlugin(Path directory) throws IOException {
    this(directory, "off");
  }

  LocalPlugin(Path directory, String localKek) throws IOException {
    this.directory = directory;
    Files.writeString(directory.resolve("password"), "correct horse battery staple\n");
    assertThat(keystore("create").exitCode()).isZero();
    configure(localKek);
    process = started();
  }

  private void configure(String localKek) throws IOException {
    Files.writeString(
        directory.resolve("plugin.yaml"),
        """
        probeInterval: 1s
        keys:
          - name: default
            socket: %1$s/s
            provider: local
            local:
              keystore: %1$s/keys.p12
              passwordFile: %1$s/password
              reloadInterval: 500ms
            localKek: %2$s
        """
            .formatted(directory, localKek));
  }

  private KeywardPlugin started() {
    var plugin = KeywardPlugin.start(Keyward.HOME, directory.resolve("plugin.yaml"), Map.of());
    Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(socket()));
    Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> status().isHealthy());
    return plugin;
  }

  private Keyward keystore(String verb) {
    return Keyward.run(
        "keystore",
        verb,
        "--keystore",
        directory.resolve("keys.p12").toString(),
        "--password-file",
        directory.resolve("password").toString());
  }

  Path socket() {
    return directory.resolve("s");
  }

  PluginStatus status() {
    try (var client = new KmsV2Client(new PluginEndpoint(socket()))) {
      return client.status(Duration.ofSeconds(5));
    }
  }

  void rotate() {
    String before = status().keyId();
    assertThat(keystore("rotate").exitCode()).isZero();
    Awaitility.await().atMost(PATIENCE).until(() -> !status().keyId().equals(before));
  }

  void kill() {
    process.process().kill();
  }

  /// It keeps its socket and answers nothing.
  void pause() {
    process.process().pause();
  }

  void goOn() {
    process.process().resume();
  }

  /// Ends it, and starts another process with the same key, as on another node.
  void replace(String localKek) throws IOException {
    kill();
    configure(localKek);
    startAgain();
  }

  void startAgain() {
    process = started();
  }

  @Override
  public void close() {
    process.close();
  }
}
