package io.keyward.storage.config.oracle;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Objects;

/// The function by which kube-apiserver loads a configuration, in a process of its own.
///
/// It is the code of kube-apiserver, of the version in `storage/oracle/go.mod`, and not a running
/// kube-apiserver: that would judge one document in several seconds.
final class ApiserverCode implements AutoCloseable {
  private final Process process;
  private final OutputStream documents;
  private final BufferedReader verdicts;

  ApiserverCode(Path binary) throws IOException {
    process =
        new ProcessBuilder(binary.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    documents = process.getOutputStream();
    verdicts = new BufferedReader(new InputStreamReader(process.getInputStream(), UTF_8));
  }

  /// Compiles `storage/oracle`. Go keeps what it compiled before.
  static Path build(Path directory) throws IOException, InterruptedException {
    Path binary = directory.resolve("oracle");
    var build =
        new ProcessBuilder("go", "build", "-o", binary.toString(), ".")
            .directory(Path.of("oracle").toAbsolutePath().toFile())
            .inheritIO()
            .start();
    if (build.waitFor() != 0) {
      throw new IllegalStateException("storage/oracle does not compile");
    }
    return binary;
  }

  /// `ok`, or `refused: ` and the reason.
  List<String> judge(List<byte[]> batch) throws IOException {
    var writer =
        Thread.ofVirtual()
            .start(() -> {
              try {
                for (byte[] document : batch) {
                  documents.write(
                      (Base64.getEncoder().encodeToString(document) + "\n").getBytes(UTF_8));
                }
                documents.flush();
              } catch (IOException e) {
                throw new UncheckedIOException(e);
              }
            });
    var answers = new ArrayList<String>();
    for (int i = 0; i < batch.size(); i++) {
      answers.add(Objects.requireNonNull(verdicts.readLine(), "the process exited"));
    }
    try {
      writer.join();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
    return answers;
  }

  @Override
  public void close() {
    process.destroy();
  }
}
