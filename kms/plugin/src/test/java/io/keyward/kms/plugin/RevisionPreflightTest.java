package io.keyward.kms.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.fasterxml.jackson.core.JsonFactory;
import io.keyward.kms.client.ClusterService;
import io.keyward.kms.plugin.CrookedPlugin.Fault;
import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.preflight.PreflightResult;
import io.keyward.kms.plugin.preflight.RevisionPreflight;
import io.keyward.kms.plugin.preflight.RevisionReport;
import io.keyward.kms.plugin.revision.RevisionDirectory;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// A preflight pod: a new key, and plugins of other keys beside it.
final class RevisionPreflightTest {
  private static final Duration SHORT = Duration.ofMillis(500);
  private static final Duration SLOW = Duration.ofSeconds(30);

  @TempDir private Path directory;

  @BeforeEach
  void prepare() throws IOException {
    var providers = new StringBuilder();
    for (int serial = 1; serial <= 3; serial++) {
      providers.append(
          "{\"kms\":{\"name\":\"%d_secrets\",\"endpoint\":\"unix://%s\"}},"
              .formatted(serial, socket(serial)));
    }
    write("encryption-config", "{\"resources\":[{\"providers\":[" + providers + "{}]}]}");
    kms(1, "{\"type\":\"External\"}");
    kms(2, "{\"type\":\"Vault\",\"vault\":{\"vaultAddress\":\"https://vault.example.com\"}}");
    kms(3, "{\"type\":\"Vault\",\"vault\":{\"vaultAddress\":\"https://v.kms.svc.cluster.local\"}}");
  }

  private void kms(int serial, String kms) throws IOException {
    write("kms-plugin-config-" + serial, "{\"spec\":{\"encryption\":{\"kms\":" + kms + "}}}");
  }

  private void write(String name, String text) throws IOException {
    Files.writeString(directory.resolve(name), text);
  }

  private Path socket(int serial) {
    return directory.resolve("kms-" + serial + ".sock");
  }

  private RevisionReport run(String key, Duration patience) throws InterruptedException {
    return new RevisionPreflight(new RevisionDirectory(directory), patience, SLOW).run(key);
  }

  @Test
  void triesTheKeyAndAsksTheOthersForTheirStatus() throws Exception {
    try (var _ = new CrookedPlugin(socket(3), Fault.NONE);
        var _ = new CrookedPlugin(socket(2), Fault.ENCRYPT_FAILS)) {
      RevisionReport report = run("3", Duration.ofSeconds(20));
      assertThat(report.passed()).isTrue();
      assertThat(report.result().json())
          .startsWith("{\"passed\":true,\"remoteKeyID\":\"key\",\"detail\":\"\",\"warnings\":[")
          .contains("the KMS at v.kms.svc.cluster.local is reached through the cluster itself");
      assertThat(run("2", SHORT).result().detail())
          .contains("Encrypt failed: PERMISSION_DENIED no;");
    }
  }

  @Test
  void theKeyOfAnotherFindingIsNamed() throws Exception {
    try (var _ = new CrookedPlugin(socket(2), Fault.UNHEALTHY)) {
      PreflightResult result = run("3", SHORT).result();
      assertThat(result.passed()).isFalse();
      assertThat(result.detail())
          .startsWith("there is no file at this path: " + socket(3) + "; start the plugin")
          .contains(
              ". key 2: the plugin responds, but reports that it is not healthy: "
                  + "the HSM is on fire; correct the cause");
    }
    try (var _ = new CrookedPlugin(socket(1), Fault.NONE);
        var _ = new CrookedPlugin(socket(2), Fault.NONE);
        var _ = new CrookedPlugin(socket(3), Fault.NONE)) {
      PreflightResult external = run("1", Duration.ofSeconds(20)).result();
      assertThat(external.json())
          .isEqualTo("{\"passed\":true,\"remoteKeyID\":\"key\",\"detail\":\"\"}");
    }
  }

  @Test
  void aKeyWithoutASocketIsRefused() {
    assertThatThrownBy(() -> run("4", SHORT))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("encryption-config: names no KMS key 4");
  }

  @Test
  void theResultFitsInATerminationMessage() throws IOException {
    for (String text : List.of("\"", "ü", "x\n", "\ud83d\ude00")) {
      for (int length = 0; length < 3_000; length += 97) {
        String json = new PreflightResult(false, "key", text.repeat(length), List.of("w")).json();
        assertThat(json.getBytes(UTF_8).length).isLessThanOrEqualTo(PreflightResult.MOST_BYTES);
        assertThat(new String(json.getBytes(UTF_8), UTF_8)).isEqualTo(json);
        try (var parser = new JsonFactory().createParser(json)) {
          while (parser.nextToken() != null) {
            assertThat(parser.currentToken()).isNotNull();
          }
        }
        assertThat(json).endsWith("\"warnings\":[\"w\"]}");
      }
    }
  }

  @ParameterizedTest
  @CsvSource({
    "vault.kms.svc, true",
    "vault.kms.svc.cluster.local, true",
    "VAULT.kms.SVC.example.internal., true",
    "vault.svc, true",
    "svc.example.com, false",
    "svc, false",
    "vault.example.com, false",
    "vault-svc.example.com, false",
    "10.0.0.1, false",
    "'', false"
  })
  void aServiceOfTheClusterHasItsLabel(String host, boolean inside) {
    assertThat(ClusterService.isNamedBy(host)).isEqualTo(inside);
  }
}
