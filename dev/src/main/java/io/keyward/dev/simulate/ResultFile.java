package io.keyward.dev.simulate;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.cli.CommandFailure;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.LocalDate;
import java.time.ZoneOffset;
import java.util.Optional;

/// The record of a run, to be kept with the sources.
///
/// @param commit the rules that were run; absent where it is not known
/// @param isStopped whether somebody stopped the run before its last seed
record ResultFile(
    SeedRun.Result result,
    Optional<String> commit,
    boolean isStopped,
    int threads,
    double seconds,
    double cpuSeconds) {
  private static final ObjectMapper JSON = new ObjectMapper();

  void write(Path file) {
    ObjectNode root = JsonNodeFactory.instance.objectNode();
    root.put("apiVersion", "keyward.io/simulator/v1");
    commit.ifPresent(one -> root.put("commit", one));
    root.put("date", LocalDate.now(ZoneOffset.UTC).toString());
    root.putObject("seeds").put("from", result.from()).put("to", result.to());
    root.put("lives", result.lives());
    root.put("violations", result.violations());
    result.first().ifPresent(failed -> root.put("firstViolation", failed.seed()));
    root.put("stoppedEarly", isStopped);
    root.put("threads", threads);
    root.put("seconds", rounded(seconds));
    root.put("cpuSeconds", rounded(cpuSeconds));
    try {
      Files.writeString(
          file, JSON.writerWithDefaultPrettyPrinter().writeValueAsString(root) + "\n");
    } catch (IOException e) {
      throw new CommandFailure(
          "cannot write the result file", "check that its directory exists and is writable", e);
    }
  }

  private static double rounded(double seconds) {
    return Math.round(seconds * 10) / 10.0;
  }

  /// The commit of the checkout in the working directory.
  static Optional<String> checkedOut() {
    try {
      Process git =
          new ProcessBuilder("git", "rev-parse", "HEAD")
              .redirectError(ProcessBuilder.Redirect.DISCARD)
              .start();
      String text = new String(git.getInputStream().readAllBytes(), StandardCharsets.UTF_8).strip();
      return git.waitFor() == 0 && !text.isEmpty() ? Optional.of(text) : Optional.empty();
    } catch (IOException _) {
      return Optional.empty();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return Optional.empty();
    }
  }
}
