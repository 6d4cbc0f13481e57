package io.keyward.it;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Tests with a managed cluster take turns, also in two processes: six kube-apiservers at once are
/// too much for a small machine.
final class Turn implements AutoCloseable {
  private final FileChannel file;

  private Turn(FileChannel file) {
    this.file = file;
  }

  /// Waits for the one before.
  static Turn take() throws IOException {
    var file =
        FileChannel.open(
            Path.of("target", "managed.lock"), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
    var _ = file.lock(); // held until the file is closed, or this process ends
    return new Turn(file);
  }

  @Override
  public void close() throws IOException {
    file.close();
  }
}
