package io.keyward.testbed.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Kills a whole JVM and looks what is left of its servers.
final class WatchdogIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path directory;

  @Test
  void serversDieWithAJvmThatIsKilled() throws Exception {
    List<ProcessIdentity> servers = killJvmWithServers(Launch.Lifetime.WITH_JVM);

    assertThat(Waiting.until(() -> servers.stream().noneMatch(ProcessIdentity::isRunning), SOON))
        .isTrue();
  }

  @Test
  void detachedServersOutliveTheJvm() throws Exception {
    List<ProcessIdentity> servers = killJvmWithServers(Launch.Lifetime.DETACHED);
    ProcessIdentity detached = servers.getFirst();

    // The end of the watched one is the sign that the watchdog did its work.
    assertThat(Waiting.until(() -> !servers.getLast().isRunning(), SOON)).isTrue();
    assertThat(detached.isRunning()).isTrue();
    ServerProcess.adopt(launch(Launch.Lifetime.DETACHED, directory), detached).kill();
  }

  /// The JVM that gets killed: starts two servers, says their pids and waits.
  static final class Victim {
    private Victim() {}

    public static void main(String[] args) throws InterruptedException {
      Path directory = Path.of(args[1]);
      for (Launch.Lifetime lifetime :
          List.of(Launch.Lifetime.valueOf(args[0]), Launch.Lifetime.WITH_JVM)) {
        System.out.println(ServerProcess.start(launch(lifetime, directory)).pid());
      }
      Thread.currentThread().join();
    }
  }

  private static Launch launch(Launch.Lifetime lifetime, Path directory) {
    return new Launch(
        "sleep", List.of("sleep", "600"), Map.of(), directory.resolve("log"), lifetime);
  }

  /// The servers as they were while the JVM lived: the second one is always watched.
  private List<ProcessIdentity> killJvmWithServers(Launch.Lifetime first) throws Exception {
    Process jvm = startJvm(first);
    try (BufferedReader out = jvm.inputReader()) {
      List<ProcessIdentity> servers = List.of(identity(out.readLine()), identity(out.readLine()));
      assertThat(servers).allMatch(ProcessIdentity::isRunning);
      jvm.destroyForcibly().waitFor();
      return servers;
    }
  }

  private static ProcessIdentity identity(String pid) {
    return ProcessIdentity.of(Long.parseLong(pid)).orElseThrow();
  }

  private Process startJvm(Launch.Lifetime lifetime) throws IOException {
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Victim.class.getName(),
            lifetime.name(),
            directory.toString())
        .redirectError(ProcessBuilder.Redirect.INHERIT)
        .start();
  }
}
