package io.keyward.node;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

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

final class CommandHostTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir Path directory;

  private CommandHost host(String... restart) {
    return new CommandHost(new Place.Command(directory.resolve("config"), List.of(restart)));
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
    var one = new ServerProcess("boot", Instant.ofEpochMilli(12_345), Duration.ofMillis(45));
    var two = new ServerProcess("boot", Instant.ofEpochMilli(22_345), Duration.ofMillis(99));
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

  @Test
  void saysWhyARestartFailed() throws InterruptedException {
    assertThat(host("true").restart(PATIENCE)).isEmpty();
    assertThat(host("sh", "-c", "exit 3").restart(PATIENCE))
        .hasValueSatisfying(why -> assertThat(why).endsWith("exit code 3"));
    assertThat(host("sleep", "60").restart(Duration.ofMillis(50))).isPresent();
    assertThat(host("no-such-command").restart(PATIENCE)).isPresent();
  }
}
