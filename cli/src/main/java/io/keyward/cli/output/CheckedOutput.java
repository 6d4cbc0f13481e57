package io.keyward.cli.output;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.cli.CommandFailure;
import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.OutputStreamWriter;
import java.io.PrintWriter;
import org.jspecify.annotations.Nullable;

/// Standard output that remembers its first failure. A [PrintWriter] swallows failures, and an exit
/// code of 0 after a full disk would be a false verdict.
public final class CheckedOutput extends OutputStream {
  private static final int BUFFER = 1 << 13;

  private final OutputStream target;
  private final byte[] buffer = new byte[BUFFER];
  private int used;
  private @Nullable IOException failure;

  public CheckedOutput(OutputStream target) {
    this.target = target;
  }

  /// The descriptor itself: what `System.out` buffers would be written after the verdict.
  public static CheckedOutput standard() {
    return new CheckedOutput(new FileOutputStream(FileDescriptor.out));
  }

  /// For commands, which print text.
  public PrintWriter writer() {
    // By the line: some commands print while they work.
    return new PrintWriter(new OutputStreamWriter(this, UTF_8), true);
  }

  /// Fails where something that was printed so far did not reach its target.
  public static void check(PrintWriter out) {
    if (out.checkError()) {
      throw new CommandFailure(
          "cannot write to standard output", "the output is incomplete; write it elsewhere");
    }
  }

  /// Why the first write failed, or null. Nothing is written after that.
  public @Nullable IOException failure() {
    return failure;
  }

  @Override
  public void write(int part) throws IOException {
    write(new byte[] {(byte) part}, 0, 1);
  }

  @Override
  public void write(byte[] bytes, int from, int size) throws IOException {
    if (size > buffer.length - used) {
      drain();
    }
    if (size > buffer.length) {
      pass(bytes, from, size);
      return;
    }
    System.arraycopy(bytes, from, buffer, used, size);
    used += size;
  }

  @Override
  public void flush() throws IOException {
    drain();
    attempt(target::flush);
  }

  /// A disk may report that it is full only now.
  @Override
  public void close() throws IOException {
    drain();
    attempt(target::close);
  }

  private void drain() throws IOException {
    int size = used;
    used = 0;
    pass(buffer, 0, size);
  }

  private void pass(byte[] bytes, int from, int size) throws IOException {
    if (size > 0) {
      attempt(() -> target.write(bytes, from, size));
    }
  }

  private void attempt(Step step) throws IOException {
    IOException first = failure;
    if (first != null) {
      // Not the same one twice: writers suppress one failure by the other.
      throw new IOException(first.getMessage(), first);
    }
    try {
      step.run();
    } catch (IOException e) {
      failure = e;
      throw e;
    }
  }

  @FunctionalInterface
  private interface Step {
    void run() throws IOException;
  }
}
