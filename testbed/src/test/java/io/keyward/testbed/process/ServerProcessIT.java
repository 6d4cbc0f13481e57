package io.keyward.testbed.process;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ServerProcessIT {
  private static final Duration SOON = Duration.ofSeconds(20);

  @TempDir private Path directory;

  @Test
  void bothOutputsGoToTheLog() throws IOException {
    try (var process = start("echo out; echo err >&2")) {
      assertThat(process.awaitExit()).isZero();
      assertThat(Files.readString(process.log())).isEqualTo("out\nerr\n");
    }
  }

  @Test
  void stopIsPolite() throws IOException {
    try (var process =
        start("trap 'echo bye; exit 0' TERM; echo up; while :; do sleep 0.1; done")) {
      awaitLog(process, "up");
      process.stop();
      assertThat(process.isRunning()).isFalse();
      assertThat(Files.readString(process.log())).contains("bye");
    }
  }

  @Test
  void stopKillsWhatDoesNotListen() {
    try (var process = start("trap '' TERM; echo up; while :; do sleep 0.1; done")) {
      awaitLog(process, "up");
      process.stop(Duration.ofMillis(200));
      assertThat(process.isRunning()).isFalse();
    }
  }

  @Test
  void aPausedProcessIsStoppedPolitely() throws IOException {
    // Without a child: a shell that is about to start one cannot be paused at that moment.
    try (var process = start("trap 'echo bye; exit 0' TERM; echo up; while :; do :; done")) {
      awaitLog(process, "up");
      process.pause();
      assertThat(process.isPaused()).isTrue();
      process.stop();
      assertThat(process.isRunning()).isFalse();
      assertThat(Files.readString(process.log())).contains("bye");
    }
  }

  @Test
  void resumeEndsAPause() {
    try (var process = start("exec sleep 600")) {
      process.pause();
      process.resume();
      assertThat(process.isPaused()).isFalse();
      assertThat(process.isRunning()).isTrue();
    }
  }

  @Test
  void whatTheServerStartedEndsWithIt() throws IOException {
    Path child = directory.resolve("child");
    try (var process = start("sleep 600 & echo $! > " + child + "; echo up; wait")) {
      awaitLog(process, "up");
      var grandchild =
          ProcessIdentity.of(Long.parseLong(Files.readString(child).strip())).orElseThrow();
      process.kill();
      assertThat(Waiting.until(() -> !grandchild.isRunning(), SOON)).isTrue();
    }
  }

  @Test
  void aSecondStartIsAnotherProcess() {
    try (var process = start("sleep 600")) {
      ProcessIdentity first = process.identity();
      assertThatThrownBy(process::start).isInstanceOf(IllegalStateException.class);
      process.kill();
      process.start();
      assertThat(process.identity()).isNotEqualTo(first);
      assertThat(process.isRunning()).isTrue();
    }
  }

  @Test
  void aProcessThatUsesAPidAgainIsNotOurs() {
    try (var process = start("sleep 600")) {
      ProcessIdentity real = process.identity();
      var later = new ProcessIdentity(real.pid(), real.startTicks() + 1, real.bootId());
      var rebooted = new ProcessIdentity(real.pid(), real.startTicks(), "another boot");

      ServerProcess.adopt(process.launch(), later).kill();
      ServerProcess.adopt(process.launch(), rebooted).kill();

      assertThat(process.isRunning()).isTrue();
    }
  }

  @Test
  void anAdoptedProcessCanBeStopped() {
    try (var process = start("sleep 600")) {
      ServerProcess.adopt(process.launch(), process.identity()).stop();
      assertThat(process.isRunning()).isFalse();
    }
  }

  private static void awaitLog(ServerProcess process, String words) {
    assertThat(Waiting.until(() -> LogTail.of(process.log(), 10).contains(words), SOON)).isTrue();
  }

  private ServerProcess start(String script) {
    return ServerProcess.start(
        new Launch(
            "script",
            List.of("sh", "-c", script),
            Map.of(),
            directory.resolve("log"),
            Launch.Lifetime.WITH_JVM));
  }
}
