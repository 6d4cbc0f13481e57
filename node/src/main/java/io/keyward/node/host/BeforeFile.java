package io.keyward.node.host;

import io.keyward.core.rollout.RevisionNumber;
import io.keyward.core.rollout.node.ApiServerProcess;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Optional;
import java.util.OptionalLong;

/// Which API server ran when a revision was written, for agents that are started later.
public final class BeforeFile {
  private BeforeFile() {}

  /// Empty where it says nothing of this revision.
  static Optional<ApiServerProcess> read(Path file, long revision) {
    try {
      if (!Files.exists(file)) {
        return Optional.empty();
      }
      String[] words = Files.readString(file).strip().split(" ", 2);
      return words.length == 2 && RevisionNumber.parse(words[0]).equals(OptionalLong.of(revision))
          ? ApiServerProcess.parse(words[1])
          : Optional.empty();
    } catch (IOException e) {
      throw new UncheckedIOException("cannot read " + file, e);
    }
  }

  /// Where nobody was seen, what stands there must not stay.
  static void write(Path file, long revision, Optional<ApiServerProcess> before) {
    String text = revision + " " + before.map(ApiServerProcess::text).orElse("") + "\n";
    AtomicFile.write(file, text.getBytes(StandardCharsets.UTF_8));
  }
}
