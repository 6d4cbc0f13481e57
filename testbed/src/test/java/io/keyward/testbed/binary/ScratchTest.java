package io.keyward.testbed.binary;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Map;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ScratchTest {
  @TempDir private Path directory;

  @Test
  void finding29NothingIsLeftOfABuild() throws IOException {
    Path scratch = directory.resolve("scratch");
    Files.createDirectories(scratch.resolve("go-build1/b001"));
    try (var _ = new Scratch(scratch)) {
      assertThat(scratch).as("what a killed build left is gone").isEmptyDirectory();
      Files.writeString(scratch.resolve("half"), "x");
    }
    assertThat(scratch).doesNotExist();
  }

  @Test
  void finding29NothingIsLeftOnCtrlC() throws Exception {
    Path scratch = directory.resolve("interrupted");
    Process build =
        new ProcessBuilder(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-cp",
                System.getProperty("java.class.path"),
                Holder.class.getName(),
                scratch.toString())
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    try (var out = build.inputReader()) {
      assertThat(out.readLine()).isEqualTo("working");
      assertThat(scratch.resolve("half")).exists();
      build.destroy();
      build.waitFor();
      assertThat(scratch).doesNotExist();
    } finally {
      build.destroyForcibly();
    }
  }

  /// The JVM that builds and gets interrupted.
  static final class Holder {
    private Holder() {}

    public static void main(String[] args) throws Exception {
      try (var _ = new Scratch(Path.of(args[0]))) {
        Files.writeString(Path.of(args[0], "half"), "x");
        System.out.println("working");
        Thread.currentThread().join();
      }
    }
  }

  @Test
  void finding26WithoutHomeTheUserDatabaseIsAsked() {
    assertThat(CacheDirectory.of(Map.of()))
        .isEqualTo(Path.of(System.getProperty("user.home"), ".cache", "keyward"));
    assertThat(CacheDirectory.of(Map.of("HOME", "/h"))).isEqualTo(Path.of("/h/.cache/keyward"));
    assertThat(CacheDirectory.of(Map.of("KEYWARD_CACHE", "/c"))).isEqualTo(Path.of("/c"));
    assertThatThrownBy(() -> CacheDirectory.of(Map.of("HOME", "relative")))
        .isInstanceOf(TestbedException.class);
  }
}
