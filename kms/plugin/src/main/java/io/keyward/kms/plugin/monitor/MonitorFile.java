package io.keyward.kms.plugin.monitor;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.Set;

/// The file with the results, replaced in one step: a reader sees a whole report, old or new.
final class MonitorFile {
  private static final Logger LOG = System.getLogger(MonitorFile.class.getName());

  private final Path file;
  private final Path temporary;
  private boolean failing;

  MonitorFile(Path file) {
    this.file = file.toAbsolutePath();
    this.temporary = this.file.resolveSibling("." + this.file.getFileName() + "~");
  }

  /// A failure is logged once, until a write succeeds. After a reboot, the directory is missing
  /// until the node agent creates it, so the next round writes again.
  void write(String text) {
    try {
      replace(text);
      if (failing) {
        LOG.log(Level.INFO, "the monitor writes {0} again", file);
      }
      failing = false;
    } catch (IOException e) {
      if (!failing) {
        LOG.log(
            Level.WARNING,
            "the monitor cannot write {0} ({1}); it retries after every round",
            file,
            e.getClass().getSimpleName());
      }
      failing = true;
    }
  }

  /// The group may read it: the node agent is root without the capability to read any file.
  private void replace(String text) throws IOException {
    Files.deleteIfExists(temporary); // of a process that was killed
    var mode = PosixFilePermissions.asFileAttribute(PosixFilePermissions.fromString("rw-r-----"));
    var options = Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE);
    try (var channel = FileChannel.open(temporary, options, mode)) {
      var bytes = ByteBuffer.wrap(text.getBytes(UTF_8));
      while (bytes.hasRemaining()) {
        channel.write(bytes);
      }
    }
    Files.move(
        temporary, file, StandardCopyOption.ATOMIC_MOVE, StandardCopyOption.REPLACE_EXISTING);
  }
}
