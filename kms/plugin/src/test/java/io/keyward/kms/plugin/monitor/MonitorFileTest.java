package io.keyward.kms.plugin.monitor;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.ArrayList;
import java.util.List;
import java.util.logging.Handler;
import java.util.logging.LogRecord;
import java.util.logging.Logger;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class MonitorFileTest {
  @TempDir private Path directory;

  @Test
  void replacesTheFileInOneStep() throws IOException {
    Path path = directory.resolve("kms.json");
    Files.writeString(directory.resolve(".kms.json~"), "of a process that was killed");
    var file = new MonitorFile(path);
    file.write("one");
    Object first = Files.getAttribute(path, "unix:ino");
    file.write("two");
    assertThat(path).hasContent("two");
    assertThat(Files.getAttribute(path, "unix:ino")).isNotEqualTo(first);
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(path)))
        .isEqualTo("rw-r-----");
    try (var files = Files.list(directory)) {
      assertThat(files).containsExactly(path);
    }
  }

  @Test
  void retriesUntilTheDirectoryExistsAndLogsItOnce() throws IOException {
    Path later = directory.resolve("later");
    var file = new MonitorFile(later.resolve("kms.json"));
    List<String> log = new ArrayList<>();
    Logger logger = Logger.getLogger(MonitorFile.class.getName());
    var handler = new Lines(log);
    logger.addHandler(handler);
    try {
      file.write("one");
      file.write("two");
      assertThat(log).hasSize(1);
      Files.createDirectory(later);
      file.write("three");
    } finally {
      logger.removeHandler(handler);
    }
    assertThat(later.resolve("kms.json")).hasContent("three");
    assertThat(log).hasSize(2);
    assertThat(log.getFirst()).contains("cannot write");
  }

  private static final class Lines extends Handler {
    private final List<String> lines;

    Lines(List<String> lines) {
      this.lines = lines;
    }

    @Override
    public void publish(LogRecord line) {
      lines.add(line.getMessage());
    }

    @Override
    public void flush() {}

    @Override
    public void close() {}
  }
}
