package io.keyward.core.rollout.node;

import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.OptionalLong;

/// One process of the API server, told from any other without the order of clocks: a clock that is
/// set moves what a process says of its start, and what it says of the boot by as much.
///
/// @param boot which boot of the machine; empty where that is not known
/// @param startedAt as it says now
/// @param sinceBoot when it started, from the boot on
public record ApiServerProcess(String boot, Instant startedAt, Duration sinceBoot) {

  /// The kernel tells the time of its own start in whole seconds, and starts of processes from it.
  static final Duration BLUR = Duration.ofSeconds(1);

  /// Some API servers read their start anew each time, others remember it. Of the same process one
  /// of both stays what it was. No API server is ready, replaced and ready again within the blur.
  public boolean isSameAs(ApiServerProcess other) {
    return boot.equals(other.boot)
        && (isBlurred(Duration.between(startedAt, other.startedAt))
            || isBlurred(sinceBoot.minus(other.sinceBoot)));
  }

  private static boolean isBlurred(Duration difference) {
    return difference.abs().compareTo(BLUR) <= 0;
  }

  public String text() {
    return startedAt.toEpochMilli() + " " + sinceBoot.toMillis() + " " + boot;
  }

  /// Empty where the text is not one of ours.
  public static Optional<ApiServerProcess> parse(String text) {
    String[] words = text.strip().split(" ", 3);
    OptionalLong started = number(words[0]);
    OptionalLong since = words.length > 1 ? number(words[1]) : OptionalLong.empty();
    return started.isEmpty() || since.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new ApiServerProcess(
                words.length > 2 ? words[2] : "",
                Instant.ofEpochMilli(started.getAsLong()),
                Duration.ofMillis(since.getAsLong())));
  }

  private static OptionalLong number(String word) {
    return word.matches("-?[0-9]{1,18}")
        ? OptionalLong.of(Long.parseLong(word))
        : OptionalLong.empty();
  }
}
