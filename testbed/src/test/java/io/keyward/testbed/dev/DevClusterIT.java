package io.keyward.testbed.dev;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.dev.DevStatus.Condition;
import io.keyward.testbed.dev.DevStatus.Health;
import io.keyward.testbed.dev.DevStatus.ServerStatus;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import io.keyward.testbed.process.Launch;
import io.keyward.testbed.process.ProcessIdentity;
import io.keyward.testbed.process.ServerProcess;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What happens around the servers. They are stand-ins here: `sleep`, which answers nothing. The
/// real ones are in `DevCommandIT` of the CLI.
final class DevClusterIT {
  @TempDir private Path directory;
  private final List<String> told = new ArrayList<>();
  private final List<ServerProcess> started = new ArrayList<>();

  @AfterEach
  void killStandIns() {
    started.forEach(ServerProcess::kill);
  }

  @Test
  void aProgramThatGotAPidOfOursIsLeftAlone() {
    ServerProcess stranger = standIn();
    ProcessIdentity now = stranger.identity();
    remember(true, new ProcessIdentity(now.pid(), now.startTicks() - 100, now.bootId()));

    assertThat(cluster().status().health()).isEqualTo(Health.STOPPED);
    assertThat(cluster().down(false)).isTrue();

    assertThat(stranger.isRunning()).isTrue();
  }

  @Test
  void aRestartOfTheMachineIsSeenThoughThePidsAreInUse() {
    ProcessIdentity now = standIn().identity();
    remember(true, new ProcessIdentity(now.pid(), now.startTicks(), "the boot before"));

    assertThat(cluster().status().servers())
        .extracting(ServerStatus::condition)
        .containsExactly(Condition.DEAD);
  }

  @Test
  void aClusterWithADeadServerIsHalfDead() {
    ServerProcess one = standIn();
    ServerProcess two = standIn();
    remember(true, one.identity(), two.identity());
    two.kill();

    DevStatus status = cluster().status();

    assertThat(status.health()).isEqualTo(Health.HALF_DEAD);
    assertThat(status.servers())
        .extracting(ServerStatus::condition)
        .containsExactly(Condition.NOT_READY, Condition.DEAD);
  }

  @Test
  void aPausedServerIsToldApart() {
    ServerProcess server = standIn();
    remember(true, server.identity());
    server.pause();

    assertThat(cluster().status().servers())
        .extracting(ServerStatus::condition)
        .containsExactly(Condition.PAUSED);
  }

  @Test
  void downStopsWhatRunsAndRemovesTheDirectory() {
    ServerProcess server = standIn();
    remember(true, server.identity());

    assertThat(cluster().down(false)).isTrue();

    assertThat(server.isRunning()).isFalse();
    assertThat(directory.resolve("dev")).doesNotExist();
    assertThat(cluster().down(false)).isFalse();
  }

  @Test
  void downWithKeepLeavesTheFiles() {
    ServerProcess server = standIn();
    remember(true, server.identity());

    cluster().down(true);

    assertThat(server.isRunning()).isFalse();
    assertThat(cluster().status().health()).isEqualTo(Health.STOPPED);
  }

  @Test
  void anInterruptedStartIsToldApartAndCleanedUp() {
    ServerProcess server = standIn();
    remember(false, server.identity());
    assertThat(cluster().status().health()).isEqualTo(Health.UNFINISHED);

    cluster().down(false);

    assertThat(server.isRunning()).isFalse();
  }

  @Test
  void aDirectoryWithOtherFilesIsRefused() throws IOException {
    Path file = Files.createDirectories(directory.resolve("dev")).resolve("thesis.txt");
    Files.writeString(file, "years of work");

    assertThatThrownBy(() -> cluster().up(1, Optional.empty()))
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("holds other files");
    assertThat(file).exists();
  }

  @Test
  void twoCommandsAtOnceDoNotCollide() throws IOException {
    Files.createDirectories(directory.resolve("dev"));
    try (var _ = DevLock.take(directory.resolve("dev"))) {
      assertThatThrownBy(() -> cluster().up(1, Optional.empty()))
          .isInstanceOf(TestbedException.class)
          .hasMessageContaining("another keyward dev command is at work");
    }
  }

  @Test
  void aDamagedStateFileIsNamed() throws IOException {
    Files.createDirectories(directory.resolve("dev"));
    Files.writeString(directory.resolve("dev").resolve(DevState.FILE), "{ \"complete\": tr");

    assertThatThrownBy(() -> cluster().status())
        .isInstanceOf(TestbedException.class)
        .hasMessageContaining("dev.json is damaged");
  }

  private DevCluster cluster() {
    return new DevCluster(directory.resolve("dev"), ServerBinaries.ofThisMachine(), told::add);
  }

  private void remember(boolean complete, ProcessIdentity... identities) {
    Path home = directory.resolve("dev");
    Pki pki = Pki.create(home.resolve("cluster").resolve("pki"));
    KeyPairFiles admin = pki.admin();
    List<DevServer> servers = new ArrayList<>();
    for (ProcessIdentity identity : identities) {
      servers.add(
          new DevServer(
              "stand-in-" + servers.size(),
              identity,
              List.of("sleep", "600"),
              directory.resolve("log"),
              URI.create("https://127.0.0.1:1/readyz"),
              pki.clusterCa(),
              admin.certificate(),
              admin.key()));
    }
    new DevState(complete, servers, List.of(), List.of()).write(home);
  }

  private ServerProcess standIn() {
    ServerProcess process =
        ServerProcess.start(
            new Launch(
                "stand-in",
                List.of("sleep", "600"),
                Map.of(),
                directory.resolve("log"),
                Launch.Lifetime.WITH_JVM));
    started.add(process);
    return process;
  }
}
