package io.keyward.testbed.binary;

import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.channels.FileChannel;
import java.nio.channels.FileLock;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// One build at a time for a cache: two at once would compile the same packages twice. The kernel
/// frees the lock of a process that died.
final class BuildLock implements AutoCloseable {
  /// File locks belong to the whole JVM, so its threads need one of their own.
  private static final ReentrantLock THREADS = new ReentrantLock(true);

  private static final Duration FOR_EVER = Duration.ofDays(1);

  private final FileChannel channel;

  private BuildLock(FileChannel channel) {
    this.channel = channel;
  }

  static BuildLock take(Path file, ServerBinary binary, Talk talk) {
    long start = System.nanoTime();
    THREADS.lock();
    boolean taken = false;
    try {
      FileChannel channel =
          FileChannel.open(
              file, StandardOpenOption.CREATE, StandardOpenOption.READ, StandardOpenOption.WRITE);
      if (!tryLock(channel)) {
        await(channel, binary, talk, start);
      }
      sign(channel, binary);
      taken = true;
      return new BuildLock(channel);
    } catch (IOException e) {
      throw new TestbedException(
          "cannot lock the cache of the servers", "check that you may write to " + file, e);
    } finally {
      if (!taken) {
        THREADS.unlock();
      }
    }
  }

  @Override
  public void close() {
    try {
      channel.close();
    } catch (IOException _) {
      // The lock is gone either way.
    } finally {
      THREADS.unlock();
    }
  }

  private static void await(FileChannel channel, ServerBinary binary, Talk talk, long start) {
    String other = "keyward: waiting for another process that builds " + signature(channel);
    talk.say(other);
    try (var _ = new Ticker(talk, () -> other + ", " + Span.words(Span.since(start)) + " so far")) {
      if (!Waiting.until(() -> tryLock(channel), FOR_EVER)) {
        throw new TestbedException(
            "gave up waiting for another build before " + binary.programName(), "try again");
      }
    }
  }

  private static boolean tryLock(FileChannel channel) {
    try {
      @Nullable FileLock lock = channel.tryLock();
      return lock != null;
    } catch (IOException e) {
      throw new TestbedException(
          "cannot lock the cache of the servers", "use a local disk for KEYWARD_CACHE", e);
    }
  }

  /// For those who wait.
  private static void sign(FileChannel channel, ServerBinary binary) throws IOException {
    channel.truncate(0);
    String words = binary.programName() + " (process " + ProcessHandle.current().pid() + ")";
    channel.write(ByteBuffer.wrap(words.getBytes(StandardCharsets.UTF_8)), 0);
  }

  private static String signature(FileChannel channel) {
    try {
      var bytes = ByteBuffer.allocate(200);
      channel.read(bytes, 0);
      return new String(bytes.array(), 0, bytes.position(), StandardCharsets.UTF_8);
    } catch (IOException _) {
      return "a server";
    }
  }
}
