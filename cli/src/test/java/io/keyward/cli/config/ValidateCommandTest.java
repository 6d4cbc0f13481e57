package io.keyward.cli.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ValidateCommandTest {
  private static final String KMS_V1 =
      """
      apiVersion: apiserver.config.k8s.io/v1
      kind: EncryptionConfiguration
      resources:
      - resources: [secrets]
        providers:
        - kms: {name: a, endpoint: 'unix:///a.sock'}
      """;

  @TempDir private Path directory;

  @Test
  void namesFileLineFieldAndRemedy() throws IOException {
    Path file = write(KMS_V1.replace("unix:///a.sock", "tcp://a"));
    Cli.Result result = Cli.run("config", "validate", file.toString());
    assertThat(result.exit()).isEqualTo(1);
    assertThat(result.out())
        .contains(file + ":6: error: resources[0].providers[0].kms.endpoint: unsupported scheme")
        .contains("unix:///var/run/kmsplugin/socket.sock");
  }

  @Test
  void finding11AFileWithoutAnEndIsRefusedInOneSentence() {
    Cli.Result result =
        assertTimeoutPreemptively(
            Duration.ofSeconds(20), () -> Cli.run("config", "validate", "/dev/zero"));
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("/dev/zero is larger than 32 MiB").doesNotContain("\tat ");
    assertThat(result.out()).isEmpty();
  }

  @Test
  void aGateChangesTheVerdict() throws IOException {
    String file = write(KMS_V1).toString();
    assertThat(Cli.run("config", "validate", file).exit()).isEqualTo(1);
    Cli.Result gated = Cli.run("config", "validate", "--feature-gates", "KMSv1=true", file);
    assertThat(gated.exit()).isZero();
    assertThat(gated.out()).contains("warning").contains("KMS v1 is deprecated");
  }

  @Test
  void jsonHasTheFieldsThatScriptsRelyOn() throws IOException {
    String file = write(KMS_V1).toString();
    Cli.Result result = Cli.run("config", "validate", "-o", "json", file);
    JsonNode verdict = new ObjectMapper().readTree(result.out()).at("/files/0");
    assertThat(verdict.get("ok").asBoolean()).isFalse();
    assertThat(verdict.get("stage").asText()).isEqualTo("build");
    assertThat(verdict.get("errors").get(0).fieldNames())
        .toIterable()
        .contains("field", "type", "detail");
    assertThat(verdict.get("warnings").isArray()).isTrue();
  }

  @Test
  void anUnknownGateAndNoFileAreWrongUsage() throws IOException {
    String file = write(KMS_V1).toString();
    assertThat(Cli.run("config", "validate", "--feature-gates", "X=true", file).exit())
        .isEqualTo(64);
    assertThat(Cli.run("config", "validate").exit()).isEqualTo(64);
    assertThat(Cli.run("config").exit()).isEqualTo(64);
  }

  @Test
  void aMissingFileIsAFailure() {
    Cli.Result result = Cli.run("config", "validate", directory.resolve("x").toString());
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("no such file");
  }

  private Path write(String text) throws IOException {
    return Files.writeString(directory.resolve("encryption.yaml"), text);
  }
}
