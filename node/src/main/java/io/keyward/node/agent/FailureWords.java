package io.keyward.node.agent;

import io.keyward.kube.client.ClusterFailure;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.FileSystemException;
import java.util.Optional;

/// Why a revision could not be brought to this node, with nothing of what it holds.
public final class FailureWords {
  private FailureWords() {}

  static String of(RuntimeException failure) {
    return switch (failure) {
      case ClusterFailure said -> text(said);
      case UncheckedIOException disk ->
          text(disk)
              + Optional.ofNullable(disk.getCause()).map(one -> ": " + reason(one)).orElse("");
      // Who knows what its words are made of.
      default -> "it cannot be read (" + failure.getClass().getSimpleName() + ")";
    };
  }

  private static String reason(IOException cause) {
    if (cause instanceof FileSystemException file) {
      return Optional.ofNullable(file.getReason()).orElse(cause.getClass().getSimpleName());
    }
    return text(cause);
  }

  private static String text(Exception failure) {
    return Optional.ofNullable(failure.getMessage()).orElse(failure.getClass().getSimpleName());
  }
}
