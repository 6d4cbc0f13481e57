package io.keyward.testbed.binary;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.process.Waiting;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// Two JVMs on one cache.
final class BuildLockIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private Process first;

  @BeforeEach
  void startTheFirst() throws IOException {
    first =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                lock().toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
  }

  @AfterEach
  void killTheFirst() {
    first.destroyForcibly();
  }

  @Test
  void aSecondJvmWaitsSaysForWhomAndGoesOnWhenTheFirstIsKilled() throws Exception {
    assertThat(first.inputReader().readLine()).isEqualTo("locked");
    var said = new ByteArrayOutputStream();
    var taken = new AtomicBoolean();

    Thread waiter = Thread.ofVirtual().start(() -> takeOnce(said, taken));

    String words = "waiting for another process that builds vault (process " + first.pid() + ")";
    assertThat(Waiting.until(() -> said.toString(StandardCharsets.UTF_8).contains(words), SOON))
        .isTrue();
    assertThat(taken).isFalse();
    first.destroyForcibly().waitFor();
    assertThat(waiter.join(SOON)).isTrue();
    assertThat(taken).isTrue();
  }

  /// The JVM that builds and gets killed.
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws InterruptedException {
      try (var _ = BuildLock.take(Path.of(args[0]), ServerBinary.VAULT, Talk.stderr())) {
        System.out.println("locked");
        Thread.currentThread().join();
      }
    }
  }

  private void takeOnce(ByteArrayOutputStream said, AtomicBoolean taken) {
    var talk = new Talk(new PrintStream(said, true, StandardCharsets.UTF_8), false);
    try (var _ = BuildLock.take(lock(), ServerBinary.ETCD, talk)) {
      taken.set(true);
    }
  }

  private Path lock() {
    return directory.resolve("build.lock");
  }
}
