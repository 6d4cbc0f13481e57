package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.kms.client.Endpoint;
import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginStatus;
import io.keyward.kms.spi.Secret;
import io.keyward.testbed.KeywardPlugin;
import io.keyward.testbed.Vault;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.process.Ports;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Map;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The distribution's plugin with a real Vault over TLS, from a preflight to an outage.
final class VaultPluginIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);
  private static final Duration LIMIT = Duration.ofSeconds(3);
  private static final int PORT = Ports.free();

  @TempDir private Path directory;

  @Test
  void servesKeysOfVaultAndSaysWhatIsWrongWhileItHangs() throws IOException, InterruptedException {
    try (Vault vault =
        Vault.start(directory.resolve("vault"), ServerBinaries.ofThisMachine(), true)) {
      vault.enableTransit();
      admin(vault, "transit/keys/kms", "{}");
      admin(vault, "sys/auth/approle", "{\"type\":\"approle\"}");
      String policy =
          "path \\\"transit/+/kms\\\" { capabilities = [\\\"update\\\", \\\"read\\\"] }";
      admin(vault, "sys/policies/acl/kms", "{\"policy\":\"" + policy + "\"}");
      admin(vault, "auth/approle/role/kms", "{\"token_policies\":\"kms\"}");
      admin(vault, "auth/approle/role/kms/role-id", "{\"role_id\":\"node\"}");
      String secretId =
          admin(vault, "auth/approle/role/kms/secret-id", "{}").at("/data/secret_id").asText();
      Files.writeString(directory.resolve("secret-id"), secretId);
      Path config = config(vault);

      Keyward preflight =
          Keyward.run("preflight", "--provider", "vault", "--config", config.toString());
      assertThat(preflight.out()).contains("PASSED with key_id").doesNotContain("WARNING");
      assertThat(preflight.exitCode()).isZero();

      try (var plugin = KeywardPlugin.start(Keyward.HOME, config, Map.of())) {
        Awaitility.await().atMost(PATIENCE).ignoreExceptions().until(() -> status().isHealthy());
        assertThat(status().keyId()).isEqualTo(roundTrip());

        admin(vault, "sys/leases/revoke-prefix/auth/approle/login", "{\"sync\":true}");
        assertThat(roundTrip()).as("a revoked token costs nothing").isEqualTo(status().keyId());

        admin(vault, "transit/keys/kms/rotate", "{}");
        String rotated = roundTrip();
        assertThat(status().keyId()).as("Status follows the answer").isEqualTo(rotated);

        vault.pause();
        Awaitility.await().atMost(PATIENCE).until(() -> !status().isHealthy());
        assertThat(status().healthz()).contains("in time");
        assertThat(get("/livez")).isEqualTo(200);
        vault.resume();
        Awaitility.await().atMost(PATIENCE).until(() -> status().isHealthy());

        String metrics =
            HttpClient.newHttpClient().send(request("/metrics"), BodyHandlers.ofString()).body();
        String produced =
            Files.readString(plugin.process().log()) + metrics + preflight.out() + preflight.err();
        assertThat(produced).contains("logged in to Vault").doesNotContain(secretId, "hvs.");
      }
    }
  }

  private Path config(Vault vault) throws IOException {
    return Files.writeString(
        directory.resolve("plugin.yaml"),
        """
        listen: 127.0.0.1:%1$d
        probeInterval: 1s
        keys:
          - name: vault
            socket: %2$s/s
            provider: vault
            vault:
              address: %3$s
              caFile: %4$s
              key: kms
              auth: approle
              roleId: node
              secretIdFile: %2$s/secret-id
        """
            .formatted(PORT, directory, vault.url(), vault.caCertificate().orElseThrow()));
  }

  private PluginStatus status() {
    try (var client = new KmsV2Client(new Endpoint(directory.resolve("s")))) {
      return client.status(LIMIT);
    }
  }

  /// The key_id that wrapped.
  private String roundTrip() {
    var dek = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));
    try (var client = new KmsV2Client(new Endpoint(directory.resolve("s")))) {
      var wrapped = client.encrypt(dek, "it", LIMIT);
      assertThat(client.decrypt(wrapped, "it", LIMIT)).isEqualTo(dek);
      return wrapped.kek().value();
    }
  }

  private static int get(String path) throws IOException, InterruptedException {
    return HttpClient.newHttpClient().send(request(path), BodyHandlers.discarding()).statusCode();
  }

  private static HttpRequest request(String path) {
    return HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORT + path)).build();
  }

  private static JsonNode admin(Vault vault, String path, String json) throws IOException {
    try (var client = vault.client()) {
      var answer = client.post("/v1/" + path, json);
      assertThat(answer.isOk()).as("%s: %s", path, answer.body()).isTrue();
      return new ObjectMapper().readTree(answer.body());
    }
  }
}
