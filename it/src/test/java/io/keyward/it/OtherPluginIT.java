package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.client.PluginStatus;
import io.keyward.kms.spi.Secret;
import io.keyward.testbed.Vault;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The testbed's own plugin for Vault, which shares no code with Keyward, as a process with a real
/// Vault over TLS. The preflight must accept it, and tests that use it rely on what is checked
/// here.
final class OtherPluginIT {
  private static final Duration LIMIT = Duration.ofSeconds(60);
  private static final Duration CALL = Duration.ofSeconds(20);
  private static final ServerBinaries BINARIES = ServerBinaries.ofThisMachine();

  @TempDir private Path directory;

  @Test
  void passesThePreflightBeforeAndAfterARotation() throws IOException {
    try (Vault vault = Vault.start(directory.resolve("vault"), BINARIES, true)) {
      String secretId = setUp(vault);
      // The socket must not wait for Vault.
      vault.pause();
      try (ServerProcess plugin = start(vault)) {
        await().atMost(LIMIT).until(() -> Files.exists(socket()));
        assertThat(status().healthz()).contains("Vault is unreachable");
        vault.resume();
        await().atMost(LIMIT).until(() -> status().isHealthy());
        assertThat(preflight()).contains("kms:v1");

        admin(vault, "sys/leases/revoke-prefix/auth/approle/login", "{\"sync\":true}");
        assertThat(roundTripOver(vault)).containsExactly("kms:v1", "kms:v2");
        await().atMost(LIMIT).until(() -> status().keyId().equals("kms:v2"));
        assertThat(preflight()).contains("kms:v2");

        plugin.kill();
        assertThat(socket()).as("stale").exists();
        plugin.start();
        await().atMost(LIMIT).ignoreExceptions().until(() -> status().isHealthy());

        plugin.stop();
        assertThat(plugin.exitCode()).contains(0);
        assertThat(Files.readString(plugin.log()))
            .contains("Logged in to Vault")
            .doesNotContain(secretId, "hvs.");
      }
    }
  }

  @Test
  void refusesAnUnknownArgument() throws IOException {
    try (var plugin = ServerProcess.start(launch("-vault-role=admin"))) {
      assertThat(plugin.awaitExit()).isEqualTo(2);
      assertThat(Files.readString(plugin.log())).contains("-vault-role");
    }
  }

  private ServerProcess start(Vault vault) {
    return ServerProcess.start(
        launch(
            "-listen-address=unix://" + socket(),
            "-vault-address=" + vault.url(),
            "-vault-key-path=transit/keys/kms",
            "-approle-role-id=node",
            "-approle-secret-id-path=" + directory.resolve("secret-id"),
            "-tls-ca-file=" + vault.caCertificate().orElseThrow(),
            "-tls-sni=localhost",
            "-metrics-port=0"));
  }

  private Launch launch(String... arguments) {
    var command = new ArrayList<String>();
    command.add(BINARIES.ensure(ServerBinary.VAULT_KMS_PLUGIN).toString());
    command.addAll(List.of(arguments));
    Path log = directory.resolve("plugin.log");
    return new Launch("vault-kms-plugin", command, Map.of(), log, Launch.Lifetime.WITH_JVM);
  }

  private Path socket() {
    return directory.resolve("s");
  }

  private PluginStatus status() {
    try (var client = new KmsV2Client(new PluginEndpoint(socket()))) {
      return client.status(CALL);
    }
  }

  private String preflight() {
    Keyward preflight =
        Keyward.run("preflight", "--slow", "20s", "--endpoint", "unix://" + socket());
    assertThat(preflight.exitCode()).as(preflight.out() + preflight.err()).isZero();
    return preflight.out();
  }

  /// The key_id of a DEK wrapped before a rotation and of one wrapped right after it. Both are
  /// unwrapped afterwards.
  private List<String> roundTripOver(Vault vault) {
    var dek = new Secret("thirty-two bytes of plaintext!!!".getBytes(UTF_8));
    try (var client = new KmsV2Client(new PluginEndpoint(socket()))) {
      var before = client.encrypt(dek, "it", CALL);
      admin(vault, "transit/keys/kms/rotate", "{}");
      var after = client.encrypt(dek, "it", CALL);
      assertThat(client.decrypt(before, "it", CALL)).isEqualTo(dek);
      assertThat(client.decrypt(after, "it", CALL)).isEqualTo(dek);
      return List.of(before.kek().value(), after.kek().value());
    }
  }

  private String setUp(Vault vault) throws IOException {
    vault.enableTransit();
    admin(vault, "transit/keys/kms", "{}");
    admin(vault, "sys/auth/approle", "{\"type\":\"approle\"}");
    String policy = "path \\\"transit/+/kms\\\" { capabilities = [\\\"update\\\", \\\"read\\\"] }";
    admin(vault, "sys/policies/acl/kms", "{\"policy\":\"" + policy + "\"}");
    admin(vault, "auth/approle/role/kms", "{\"token_policies\":\"kms\"}");
    admin(vault, "auth/approle/role/kms/role-id", "{\"role_id\":\"node\"}");
    var secretId =
        Pattern.compile("\"secret_id\":\"([^\"]+)\"")
            .matcher(admin(vault, "auth/approle/role/kms/secret-id", "{}"));
    assertThat(secretId.find()).isTrue();
    Files.writeString(directory.resolve("secret-id"), secretId.group(1) + "\n");
    return secretId.group(1);
  }

  private static String admin(Vault vault, String path, String json) {
    try (var client = vault.client()) {
      var answer = client.post("/v1/" + path, json);
      assertThat(answer.isOk()).as("%s: %s", path, answer.body()).isTrue();
      return answer.body();
    }
  }
}
