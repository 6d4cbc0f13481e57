package io.keyward.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.client.PluginStatus;
import io.keyward.kms.spi.Secret;
import io.keyward.testbed.Distribution;
import io.keyward.testbed.KeywardPlugin;
import io.keyward.testbed.Vault;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.process.Ports;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The distribution's plugin with a real Vault over TLS, from a preflight to an outage; and a look
/// for credentials in everything that this produced.
final class VaultPluginIT {
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  /// Long, since the machine may be busy: how fast calls are is measured elsewhere.
  private static final Duration LIMIT = Duration.ofSeconds(20);

  private static final int PORT = Ports.free();

  @TempDir private Path directory;

  @Test
  void servesKeysOfVaultAndShowsNoCredentials() throws IOException, InterruptedException {
    try (Vault vault =
        Vault.start(directory.resolve("vault"), ServerBinaries.ofThisMachine(), true)) {
      String secretId = setUp(vault);
      Path config = config(vault);

      Keyward preflight =
          Keyward.run(
              "preflight", "--provider", "vault", "--slow", "20s", "--config", config.toString());
      assertThat(preflight.out()).as(preflight.err()).contains("PASSED with key_id");
      assertThat(preflight.exitCode()).isZero();
      usualMistakesAreExplained(vault);

      try (var plugin = KeywardPlugin.start(Keyward.HOME, config, Map.of())) {
        await().atMost(PATIENCE).ignoreExceptions().until(() -> status().isHealthy());
        assertThat(roundTrip()).isEqualTo(status().keyId());

        fault02SixThousandDecryptsLeaveNothingOpen(plugin.process().pid());

        admin(vault, "sys/leases/revoke-prefix/auth/approle/login", "{\"sync\":true}");
        assertThat(roundTrip()).as("a revoked token costs nothing").isEqualTo(status().keyId());

        admin(vault, "transit/keys/kms/rotate", "{}");
        String rotated = roundTrip();
        assertThat(status().keyId()).as("Status follows the answer").isEqualTo(rotated);

        vault.pause();
        await().atMost(PATIENCE).until(() -> !status().isHealthy());
        assertThat(status().healthz()).contains("in time");
        vault.resume();
        await().atMost(PATIENCE).until(() -> status().isHealthy());

        String produced =
            preflight.out()
                + preflight.err()
                + Files.readString(plugin.process().log())
                + metrics();
        assertThat(produced).contains("logged in to Vault", "kms_request_duration_seconds");
        Path process = Path.of("/proc", Long.toString(plugin.process().pid()));
        String shown =
            Files.readString(process.resolve("cmdline"), ISO_8859_1)
                + Files.readString(process.resolve("environ"), ISO_8859_1);
        assertThat(shown).contains("plugin.yaml");
        assertThat(produced + shown).doesNotContain(secretId, vault.rootToken(), "hvs.");
      }
      servesTheSameKeyFromARevision(vault);
    }
  }

  /// With the files that the operator gives a node: the configuration of the API server, and
  /// configuration and credentials of the key.
  private void servesTheSameKeyFromARevision(Vault vault) throws IOException {
    String before;
    try (var _ = KeywardPlugin.start(Keyward.HOME, directory.resolve("plugin.yaml"), Map.of())) {
      await().atMost(PATIENCE).ignoreExceptions().until(() -> status().isHealthy());
      before = roundTrip();
    }
    Path revision = Files.createDirectory(directory.resolve("revision"));
    write(
        revision,
        "encryption-config",
        """
        {"kind":"EncryptionConfiguration","apiVersion":"apiserver.config.k8s.io/v1","resources":[
          {"resources":["secrets"],"providers":[
            {"kms":{"apiVersion":"v2","name":"3_secrets","endpoint":"unix://%s/s","timeout":"10s"}},
            {"identity":{}}]}]}
        """
            .formatted(directory));
    write(
        revision,
        "kms-plugin-config-3",
        """
        {"kind":"APIServer","apiVersion":"config.openshift.io/v1","spec":{"encryption":{"kms":{
          "type":"Vault","vault":{"vaultAddress":"%s","vaultKeyPath":"transit/keys/kms",
            "tls":{"caBundle":{"name":"ca"}},
            "authentication":{"type":"AppRole","appRole":{"secret":{"name":"role"}}}}}}}}
        """
            .formatted(vault.url()));
    write(revision, "kms-plugin-secret-role_role-id-3", "node");
    write(
        revision,
        "kms-plugin-secret-role_secret-id-3",
        Files.readString(directory.resolve("secret-id")));
    write(
        revision,
        "kms-plugin-configmap-ca_ca-bundle.crt-3",
        Files.readString(vault.caCertificate().orElseThrow()));
    Path log = directory.resolve("revision.log");
    try (ServerProcess plugin =
        ServerProcess.start(
            new Distribution(Keyward.HOME)
                .launch("plugin", log, "plugin", "--revision", revision.toString()))) {
      await().atMost(PATIENCE).ignoreExceptions().until(() -> status().isHealthy());
      assertThat(roundTrip()).isEqualTo(before);
      Path process = Path.of("/proc", Long.toString(plugin.pid()));
      assertThat(
              Files.readString(process.resolve("cmdline"), ISO_8859_1)
                  + Files.readString(process.resolve("environ"), ISO_8859_1)
                  + Files.readString(log))
          .contains("key 3", "logged in to Vault")
          .doesNotContain(Files.readString(directory.resolve("secret-id")), "hvs.");
    }
  }

  private static void write(Path directory, String name, String text) throws IOException {
    Path file = Files.writeString(directory.resolve(name), text);
    Files.setPosixFilePermissions(file, PosixFilePermissions.fromString("rw-------"));
  }

  /// Files and connections of the plugin's own process, with a KMS behind it that is called for
  /// each.
  private void fault02SixThousandDecryptsLeaveNothingOpen(long plugin) throws IOException {
    var dek = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));
    try (var client = new KmsV2Client(new PluginEndpoint(directory.resolve("s")))) {
      var wrapped = client.encrypt(dek, "it", LIMIT);
      client.decrypt(wrapped, "it", LIMIT);
      long before = openFiles(plugin);
      for (int i = 0; i < 6_000; i++) {
        client.decrypt(wrapped, "it", LIMIT);
      }
      // One at a time, so one connection is enough; a probe may have opened another.
      assertThat(openFiles(plugin)).isLessThanOrEqualTo(before + 5);
    }
  }

  private static long openFiles(long process) throws IOException {
    try (var files = Files.list(Path.of("/proc", Long.toString(process), "fd"))) {
      return files.count();
    }
  }

  /// A key, a least policy, and a login whose secret is returned.
  private String setUp(Vault vault) throws IOException {
    vault.enableTransit();
    admin(vault, "transit/keys/kms", "{}");
    admin(vault, "sys/auth/approle", "{\"type\":\"approle\"}");
    String policy = "path \\\"transit/+/kms\\\" { capabilities = [\\\"update\\\", \\\"read\\\"] }";
    admin(vault, "sys/policies/acl/kms", "{\"policy\":\"" + policy + "\"}");
    admin(vault, "auth/approle/role/kms", "{\"token_policies\":\"kms\"}");
    admin(vault, "auth/approle/role/kms/role-id", "{\"role_id\":\"node\"}");
    var answer = admin(vault, "auth/approle/role/kms/secret-id", "{}");
    var secretId = Pattern.compile("\"secret_id\":\"([^\"]+)\"").matcher(answer);
    assertThat(secretId.find()).isTrue();
    Files.writeString(directory.resolve("secret-id"), secretId.group(1));
    return secretId.group(1);
  }

  /// What the preflight says to a policy without decrypt, a key that only signs, a wrong mount.
  private void usualMistakesAreExplained(Vault vault) throws IOException {
    admin(vault, "transit/keys/signer", "{\"type\":\"ed25519\"}");
    String policy = "path \\\"transit/encrypt/+\\\" { capabilities = [\\\"update\\\"] }";
    admin(vault, "sys/policies/acl/sealer", "{\"policy\":\"" + policy + "\"}");
    String created = admin(vault, "auth/token/create", "{\"policies\":[\"sealer\"]}");
    var token = Pattern.compile("\"client_token\":\"([^\"]+)\"").matcher(created);
    assertThat(token.find()).isTrue();
    Files.writeString(directory.resolve("sealer"), token.group(1));
    Files.writeString(directory.resolve("root"), vault.rootToken());
    String keys =
        mistaken(vault, "no-decrypt", "key: kms", "sealer")
            + mistaken(vault, "signs-only", "key: signer", "root")
            + mistaken(vault, "wrong-mount", "key: kms, mount: tranzit", "root");
    Path config =
        Files.writeString(directory.resolve("mistakes.yaml"), "callBudget: 6s\nkeys:\n" + keys);

    Keyward preflight = Keyward.run("preflight", "--slow", "20s", "--config", config.toString());

    assertThat(preflight.exitCode()).as(preflight.err()).isEqualTo(1);
    assertThat(preflight.out())
        .contains("FAILED: unwrap failed: DENIED", "capability update on transit/decrypt/kms")
        .contains("the type of the key is not for encryption", "make a key of type aes256-gcm96")
        .contains("Vault has no transit engine there", "check the settings mount and namespace");
    assertThat(preflight.out() + preflight.err()).doesNotContain(token.group(1), vault.rootToken());
  }

  private String mistaken(Vault vault, String name, String key, String token) {
    return """
      - name: %1$s
        socket: %2$s/%1$s
        provider: vault
        vault: {address: '%3$s', caFile: %4$s, auth: token, tokenFile: %2$s/%5$s, %6$s}
    """
        .formatted(name, directory, vault.url(), vault.caCertificate().orElseThrow(), token, key);
  }

  private Path config(Vault vault) throws IOException {
    return Files.writeString(
        directory.resolve("plugin.yaml"),
        """
        listen: 127.0.0.1:%1$d
        probeInterval: 1s
        callBudget: 6s
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
    try (var client = new KmsV2Client(new PluginEndpoint(directory.resolve("s")))) {
      return client.status(LIMIT);
    }
  }

  /// The key_id that wrapped.
  private String roundTrip() {
    var dek = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));
    try (var client = new KmsV2Client(new PluginEndpoint(directory.resolve("s")))) {
      var wrapped = client.encrypt(dek, "it", LIMIT);
      assertThat(client.decrypt(wrapped, "it", LIMIT)).isEqualTo(dek);
      return wrapped.kek().value();
    }
  }

  private static String metrics() throws IOException, InterruptedException {
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + PORT + "/metrics"));
    try (var client = HttpClient.newHttpClient()) {
      return client.send(request.build(), BodyHandlers.ofString()).body();
    }
  }

  private static String admin(Vault vault, String path, String json) {
    try (var client = vault.client()) {
      var answer = client.post("/v1/" + path, json);
      assertThat(answer.isOk()).as("%s: %s", path, answer.body()).isTrue();
      return answer.body();
    }
  }
}
