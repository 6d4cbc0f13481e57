package io.keyward.kube.client;

import java.time.Duration;
import java.util.Optional;

/// How long to wait before a server is asked again that asked for patience, or failed.
public final class Backoff {
  private static final Duration SHORTEST = Duration.ofMillis(100);
  private static final Duration LONGEST_UNASKED = Duration.ofSeconds(10);
  private static final int LAST_DOUBLING = 7;

  private Backoff() {}

  /// What the server asks for counts, within limits: none at all would be a storm of requests, and
  /// more than the longest might be a mistake that nobody notices. A server that names no time is
  /// asked less and less often.
  ///
  /// @param before how many times in a row it was in vain
  public static Duration pause(Optional<Duration> asked, int before, Duration longest) {
    Duration unasked = SHORTEST.multipliedBy(1L << Math.clamp(before, 0, LAST_DOUBLING));
    Duration wanted = asked.orElse(least(unasked, LONGEST_UNASKED));
    return least(wanted.compareTo(SHORTEST) < 0 ? SHORTEST : wanted, longest);
  }

  private static Duration least(Duration one, Duration other) {
    return one.compareTo(other) < 0 ? one : other;
  }
}
