package io.keyward.testbed.dev;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.channels.OverlappingFileLockException;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;

/// Lets one command at a time change a dev cluster. The kernel frees it when the command ends.
final class DevLock implements AutoCloseable {
  static final String FILE = "dev.lock";

  private final FileChannel channel;

  private DevLock(FileChannel channel) {
    this.channel = channel;
  }

  static DevLock take(Path directory) {
    try {
      FileChannel channel =
          FileChannel.open(
              directory.resolve(FILE), StandardOpenOption.CREATE, StandardOpenOption.WRITE);
      if (channel.tryLock() == null) {
        channel.close();
        throw busy(directory);
      }
      return new DevLock(channel);
    } catch (OverlappingFileLockException _) {
      throw busy(directory);
    } catch (IOException e) {
      throw new TestbedException("cannot lock " + directory, "check that you may write to it", e);
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException _) {
      // The lock is gone either way.
    }
  }

  private static TestbedException busy(Path directory) {
    return new TestbedException(
        "another keyward dev command is at work in " + directory, "wait until it has ended");
  }
}
