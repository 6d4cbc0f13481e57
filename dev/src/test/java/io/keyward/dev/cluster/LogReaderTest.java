package io.keyward.dev.cluster;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.Arrays;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class LogReaderTest {
  @TempDir private Path directory;

  @Test
  void eachLineIsPrintedOnceAndOnlyWhenItIsWhole() throws IOException {
    Path log = directory.resolve("log");
    byte[] key = "ключ\n".getBytes(StandardCharsets.UTF_8);
    var reader = new LogReader(log, "etcd | ");

    Files.writeString(log, "one\ntw");
    assertThat(print(reader)).isEqualTo("etcd | one\n");
    append(log, "o\n".getBytes(StandardCharsets.UTF_8));
    assertThat(print(reader)).isEqualTo("etcd | two\n");
    append(log, Arrays.copyOf(key, 3));
    assertThat(print(reader)).isEmpty();
    append(log, Arrays.copyOfRange(key, 3, key.length));
    assertThat(print(reader)).isEqualTo("etcd | ключ\n");
  }

  private static void append(Path log, byte[] bytes) throws IOException {
    Files.write(log, bytes, StandardOpenOption.APPEND);
  }

  private static String print(LogReader reader) {
    var out = new StringWriter();
    reader.printNew(new PrintWriter(out));
    return out.toString().replace(System.lineSeparator(), "\n");
  }
}
