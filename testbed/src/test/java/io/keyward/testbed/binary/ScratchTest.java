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
  void finding26WithoutHomeTheUserDatabaseIsAsked() {
    assertThat(CacheDirectory.of(Map.of()))
        .isEqualTo(Path.of(System.getProperty("user.home"), ".cache", "keyward"));
    assertThat(CacheDirectory.of(Map.of("HOME", "/h"))).isEqualTo(Path.of("/h/.cache/keyward"));
    assertThat(CacheDirectory.of(Map.of("KEYWARD_CACHE", "/c"))).isEqualTo(Path.of("/c"));
    assertThatThrownBy(() -> CacheDirectory.of(Map.of("HOME", "relative")))
        .isInstanceOf(TestbedException.class);
  }
}
