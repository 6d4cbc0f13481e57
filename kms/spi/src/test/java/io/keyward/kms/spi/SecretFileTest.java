package io.keyward.kms.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class SecretFileTest {
  @TempDir Path directory;

  @Test
  void strips_white_space_and_reads_again_at_every_use() throws IOException {
    Path path = Files.writeString(directory.resolve("token"), "  first\r\n");
    var file = new SecretFile(path);
    assertThat(file.read()).isEqualTo("first");
    Files.writeString(path, "second");
    assertThat(file.read()).isEqualTo("second");
  }

  @Test
  void says_what_is_wrong_with_the_file_and_never_what_is_in_it() throws IOException {
    Path missing = directory.resolve("missing");
    Path empty = Files.writeString(directory.resolve("empty"), " \n");
    Path huge = Files.writeString(directory.resolve("huge"), "hunter2".repeat(10_000));
    assertThat(problem(missing)).contains("does not exist").contains(missing.toString());
    assertThat(problem(empty)).contains("is empty");
    assertThat(problem(huge)).contains("too long").doesNotContain("hunter2");
    assertThat(problem(directory)).contains("cannot be read");
  }

  private static String problem(Path path) {
    var failure = catchThrowableOfType(KmsException.class, () -> new SecretFile(path).read());
    assertThat(failure.kind()).isEqualTo(KmsException.Kind.UNAVAILABLE);
    return failure.describe();
  }
}
