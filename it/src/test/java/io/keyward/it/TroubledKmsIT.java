package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.client.PluginStatus;
import io.keyward.kms.tck.FakeKms;
import io.keyward.testbed.ApiServer;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.EncryptionConfigYaml;
import io.keyward.testbed.KeywardPlugin;
import java.io.IOException;
import java.net.URISyntaxException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What an admin sees while the plugin is missing and while the KMS is slow. The KMS is a fake,
/// since no real one can be told to be slow; the plugin, the API server and etcd are real.
final class TroubledKmsIT {
  /// An API server looks again after 10 s while a plugin is not healthy.
  private static final Duration PATIENCE = Duration.ofSeconds(90);

  private static final Duration STATUS_LIMIT = Duration.ofSeconds(2);

  @TempDir private Path directory;

  @Test
  void theApiServerSaysWhatItWaitsForAndGoesOnWhenItIsThere()
      throws IOException, URISyntaxException {
    Path socket = directory.resolve("s");
    Path mood = Files.writeString(directory.resolve("mood"), "delay 10s");
    try (ControlPlane plane = ControlPlane.builder(directory.resolve("plane")).create()) {
      plane.buildPrograms();
      ApiServer api = plane.apiServer(0);
      api.writeEncryptionConfig(EncryptionConfigYaml.writes("keyward", socket));
      plane.etcd().startReady();

      // No plugin yet: the API server runs, is not ready, and names the check that fails.
      api.start();
      Awaitility.await()
          .atMost(PATIENCE)
          .ignoreExceptions()
          .until(() -> api.readyz().contains("[-]kms-providers failed"));
      assertThat(api.isReady()).isFalse();

      try (var plugin =
          KeywardPlugin.start(Keyward.HOME, config(socket, mood), fakeOnClassPath())) {
        // The plugin is there and its KMS needs 10 s for everything: Status still answers at once,
        // says why, and the API server repeats it.
        Awaitility.await().atMost(PATIENCE).until(() -> Files.exists(socket));
        Awaitility.await()
            .atMost(PATIENCE)
            .until(() -> status(socket).healthz().contains("did not answer in time"));
        assertThat(api.isReady()).isFalse();

        Files.writeString(mood, "good");
        Awaitility.await().atMost(PATIENCE).until(() -> status(socket).isHealthy());
        api.awaitReady(PATIENCE);
        assertThat(Secrets.create(api, "recovered", "here").status()).isEqualTo(201);
        assertThat(Secrets.stored(plane, "recovered")).startsWith("k8s:enc:kms:v2:keyward:");

        // Slow again: what is in the API server's memory still works, Status stays fast and true.
        Files.writeString(mood, "delay 10s");
        Awaitility.await().atMost(PATIENCE).until(() -> !status(socket).isHealthy());
        assertThat(Secrets.read(api, "recovered").body()).contains(Secrets.encoded("here"));
        assertThat(plugin.process().isRunning()).isTrue();
      }
    }
  }

  private static PluginStatus status(Path socket) {
    try (var client = new KmsV2Client(new PluginEndpoint(socket))) {
      return client.status(STATUS_LIMIT); // fails if Status waits for the KMS
    }
  }

  private Path config(Path socket, Path mood) throws IOException {
    return Files.writeString(
        directory.resolve("plugin.yaml"),
        """
        probeInterval: 1s
        keys:
          - name: slow
            socket: %s
            provider: fake
            fake:
              mood: %s
        """
            .formatted(socket, mood));
  }

  /// The fake is not part of the distribution. JUnit comes along on the class path and is not
  /// loaded.
  private static Map<String, String> fakeOnClassPath() throws URISyntaxException {
    var jar = FakeKms.class.getProtectionDomain().getCodeSource().getLocation();
    return Map.of("KEYWARD_EXTRA_CLASSPATH", Path.of(jar.toURI()).toString());
  }
}
