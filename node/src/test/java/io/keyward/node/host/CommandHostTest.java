package io.keyward.node.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.rollout.node.ApiServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public final class CommandHostTest {
  static final String AESCBC = configuration("aescbc: {keys: [{name: k, secret: c2VjcmV0}]}");
  static final String IDENTITY = configuration("identity: {}");
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path directory;

  private CommandHost host(String... restart) {
    return new CommandHost(new HostKind.Command(directory.resolve("config"), List.of(restart)));
  }

  @Test
  void bringsTheConfigurationAndThenItsNumber() throws IOException {
    CommandHost host = host("true");
    assertThat(host.revision()).isZero();
    host.write(
        4, Map.of("encryption-config", "x".getBytes(UTF_8)), Optional.empty(), Optional.empty());
    assertThat(host.revision()).isEqualTo(4);
    assertThat(host.config()).asString(UTF_8).isEqualTo("x");
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("config"))))
        .isEqualTo("rw-------");
    Files.writeString(directory.resolve("config.revision"), "not a number");
    assertThat(host.revision()).isZero();
  }

  @Test
  void remembersWhoRanWhenItWasWritten() throws IOException {
    CommandHost host = host("true");
    Map<String, byte[]> config = Map.of("encryption-config", "x".getBytes(UTF_8));
    var one = new ApiServerProcess("boot", Instant.ofEpochMilli(12_345), Duration.ofMillis(45));
    var two = new ApiServerProcess("boot", Instant.ofEpochMilli(22_345), Duration.ofMillis(99));
    assertThat(host.before()).isEmpty();
    host.write(4, config, Optional.empty(), Optional.of(one));
    assertThat(host("another agent").before()).contains(one);
    assertThat(
            PosixFilePermissions.toString(
                Files.getPosixFilePermissions(directory.resolve("config.before"))))
        .isEqualTo("rw-------");
    host.remember(two);
    assertThat(host.before()).contains(two);
    host.write(5, config, Optional.empty(), Optional.empty());
    assertThat(host.before()).isEmpty();
    host.remember(one);
    Files.writeString(directory.resolve("config.revision"), "6");
    assertThat(host.before()).as("of another revision").isEmpty();
  }

  static String configuration(String provider) {
    return """
    apiVersion: apiserver.config.k8s.io/v1
    kind: EncryptionConfiguration
    resources:
    - resources: [secrets]
      providers: [{%s}]
    """
        .formatted(provider);
  }

  private void write(long revision, String config) {
    host("true")
        .write(
            revision,
            Map.of("encryption-config", config.getBytes(UTF_8)),
            Optional.empty(),
            Optional.empty());
  }

  private Optional<String> existing() {
    return host("true").existing().map(ExistingEncryption::words);
  }

  @Test
  void aFileThatNoAgentWroteIsAnExistingConfiguration() throws IOException {
    Path config = directory.resolve("config");
    assertThat(existing()).isEmpty();
    Files.writeString(config, IDENTITY);
    assertThat(existing()).isEmpty();
    Files.writeString(config, AESCBC);
    assertThat(existing()).contains("aescbc for secrets in " + config);
    Files.writeString(config, "]");
    assertThat(existing()).contains("a configuration that Keyward cannot read in " + config);
    Files.delete(config);
    Files.createDirectory(config);
    assertThat(existing()).contains("a configuration that the node agent cannot read in " + config);
  }

  @Test
  void aFileThatAnAgentWroteIsKnownAgain() throws IOException {
    write(4, AESCBC);
    assertThat(existing()).isEmpty();
    Files.delete(directory.resolve("config.revision"));
    assertThat(existing()).as("a crash between two writes").isEmpty();
    Files.writeString(directory.resolve("config.revision"), "4");
    Files.delete(directory.resolve("config.digest"));
    assertThat(existing()).as("written by an earlier release").isEmpty();
    assertThat(host("true").isIntact()).isTrue();
  }

  @Test
  void anotherFileInItsPlaceIsNeitherIntactNorOurs() throws IOException {
    write(4, AESCBC);
    assertThat(host("true").isIntact()).isTrue();
    Files.writeString(directory.resolve("config"), AESCBC + "\n");
    assertThat(host("true").isIntact()).isFalse();
    assertThat(existing()).isPresent();
    write(5, AESCBC);
    assertThat(host("true").isIntact()).isTrue();
  }

  @Test
  void saysWhyARestartFailed() throws InterruptedException {
    assertThat(host("true").restart(PATIENCE)).isEmpty();
    assertThat(host("sh", "-c", "exit 3").restart(PATIENCE))
        .hasValueSatisfying(why -> assertThat(why).endsWith("exited with code 3"));
    assertThat(host("sleep", "60").restart(Duration.ofMillis(50))).isPresent();
    assertThat(host("no-such-command").restart(PATIENCE)).isPresent();
  }
}
