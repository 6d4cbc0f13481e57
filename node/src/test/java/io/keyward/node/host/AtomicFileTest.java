package io.keyward.node.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

public final class AtomicFileTest {
  @TempDir Path directory;

  @Test
  void replacesAFileAndLeavesNoOther() {
    Path file = directory.resolve("file");
    AtomicFile.write(file, "one".getBytes(UTF_8));
    AtomicFile.write(file, "two".getBytes(UTF_8));
    assertThat(file).hasContent("two");
    assertThat(directory).isDirectoryContaining(one -> one.equals(file));
    assertThat(directory.toFile().list()).hasSize(1);
  }

  @Test
  void aWriteThatFailsLeavesNothingOfItsContent() throws IOException {
    Path taken = Files.createDirectories(directory.resolve("taken/by/a/directory"));
    Path file = directory.resolve("taken");
    for (int i = 0; i < 3; i++) {
      assertThatThrownBy(() -> AtomicFile.write(file, "a secret".getBytes(UTF_8)))
          .isInstanceOf(UncheckedIOException.class)
          .hasMessageContaining("cannot write");
    }
    assertThat(directory.toFile().list()).containsExactly("taken");
    assertThat(taken).isEmptyDirectory();
  }

  @Test
  void replacesOnlyTheExpectedContent() throws IOException {
    Path file = Files.writeString(directory.resolve("file"), "old");
    assertThat(AtomicFile.replace(file, "other".getBytes(UTF_8), "new".getBytes(UTF_8))).isFalse();
    assertThat(file).hasContent("old");
    assertThat(AtomicFile.replace(file, "old".getBytes(UTF_8), "new".getBytes(UTF_8))).isTrue();
    assertThat(directory).isDirectoryContaining("glob:**/file");
    assertThat(file).hasContent("new");
  }
}
