package io.keyward.testbed.binary;

import java.time.Duration;

/// Durations as people say them.
final class Span {
  private Span() {}

  static String words(Duration span) {
    long seconds = span.toSeconds();
    return seconds < 60 ? seconds + " s" : seconds / 60 + " min " + seconds % 60 + " s";
  }

  static Duration since(long startNanos) {
    return Duration.ofNanos(System.nanoTime() - startNanos);
  }
}
