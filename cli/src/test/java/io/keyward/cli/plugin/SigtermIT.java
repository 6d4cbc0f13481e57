package io.keyward.cli.plugin;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Main;
import java.io.IOException;
import java.net.InetAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.LockSupport;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

/// SIGTERM at many moments in the life of a plugin process.
final class SigtermIT {
  private static final int KILLED = 143;
  private static final Pattern PORT = Pattern.compile("metrics on http://127.0.0.1:([0-9]+)");
  private static final Duration PATIENCE = Duration.ofSeconds(60);

  @TempDir private Path directory;
  private LocalSetup setup;
  private Path config;
  private Path log;

  @BeforeEach
  void prepare() throws IOException {
    setup = LocalSetup.in(directory);
    config = Files.writeString(directory.resolve("plugin.yaml"), setup.config(""));
    log = directory.resolve("log");
  }

  @ParameterizedTest
  @ValueSource(strings = {".s.sock.lock", ".s.sock~", "s.sock"})
  void finding25SigtermWhileThePluginStarts(String file) throws IOException, InterruptedException {
    Process process = start();
    await(() -> Files.exists(directory.resolve(file)) || !process.isAlive());
    assertThat(exit(process)).as(Files.readString(log)).isZero();
    assertNothingLeft();
  }

  /// The JVM ends by itself (143) if the signal comes before it runs Keyward. Then nothing has
  /// begun.
  @Test
  void finding25SigtermAtSpreadMoments() throws IOException, InterruptedException {
    for (int millis = 0; millis <= 2_000; millis += 200) {
      Process process = start();
      LockSupport.parkNanos(Duration.ofMillis(millis).toNanos());
      boolean begun = Files.size(log) > 0 || Files.exists(directory.resolve(".s.sock.lock"));
      int exit = exit(process);
      if (begun) {
        assertThat(exit).as(millis + " ms").isZero();
      } else {
        assertThat(exit).as(millis + " ms").isIn(0, KILLED);
      }
      assertNothingLeft();
      Files.deleteIfExists(directory.resolve(".s.sock.lock"));
    }
  }

  @Test
  void finding25ANormalStopIsLogged() throws IOException, InterruptedException {
    Process process = start();
    await(() -> Files.readString(log).contains("is served on"));
    assertThat(exit(process)).isZero();
    assertThat(Files.readString(log, UTF_8).strip()).endsWith("INFO stopped");
    assertNothingLeft();
  }

  @Test
  void aSlowClientOfTheMetricsDoesNotDelayTheStop() throws IOException, InterruptedException {
    Files.writeString(config, "listen: 127.0.0.1:0\n" + setup.config(""));
    Process process = start();
    await(() -> Files.readString(log).contains("is served on"));
    Matcher port = PORT.matcher(Files.readString(log));
    assertThat(port.find()).isTrue();
    try (var slow = new Socket(InetAddress.getLoopbackAddress(), Integer.parseInt(port.group(1)))) {
      slow.getOutputStream().write("GET /metrics HTTP/1.1\r\nHost: ".getBytes(UTF_8));
      long begin = System.nanoTime();
      assertThat(exit(process)).isZero();
      // Less than the server gives a client for its request.
      assertThat(Duration.ofNanos(System.nanoTime() - begin)).isLessThan(Duration.ofSeconds(8));
    }
    assertNothingLeft();
  }

  @Test
  void aFailureKeepsItsExitCode() throws IOException, InterruptedException {
    Files.delete(setup.keystore());
    Process process = start();
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    assertThat(process.exitValue()).isEqualTo(2);
  }

  private interface Condition {
    boolean holds() throws IOException;
  }

  private static void await(Condition condition) throws IOException {
    long end = System.nanoTime() + PATIENCE.toNanos();
    while (!condition.holds()) {
      assertThat(System.nanoTime()).isLessThan(end);
      LockSupport.parkNanos(1_000_000);
    }
  }

  private Process start() throws IOException {
    Files.deleteIfExists(log);
    return new ProcessBuilder(
            Path.of(System.getProperty("java.home"), "bin", "java").toString(),
            "-cp",
            System.getProperty("java.class.path"),
            Main.class.getName(),
            "plugin",
            "--config",
            config.toString())
        .redirectErrorStream(true)
        .redirectOutput(log.toFile())
        .start();
  }

  private static int exit(Process process) throws InterruptedException {
    process.destroy(); // SIGTERM
    assertThat(process.waitFor(60, TimeUnit.SECONDS)).isTrue();
    return process.exitValue();
  }

  /// The empty lock file stays: to delete it would let two plugins hold a lock each.
  private void assertNothingLeft() {
    assertThat(List.of(directory.resolve("s.sock"), directory.resolve(".s.sock~")))
        .allSatisfy(path -> assertThat(path).doesNotExist());
  }
}
