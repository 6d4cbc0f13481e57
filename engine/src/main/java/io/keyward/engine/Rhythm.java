package io.keyward.engine;

import java.time.Duration;

/// How often sites are looked at.
///
/// @param burst how long an event is held back for others that may follow
/// @param resync how long a site that waits for something goes without a turn: a time that has come
///   shows in no watch
/// @param longestResync the same for a site at rest, among many sites; and how long a site that
///   waits for something is looked at through caches alone
/// @param live how long a site at rest is looked at through caches alone: a watch may have broken
///   without a word
/// @param firstRetry after a turn that failed; doubled with every further one
/// @param longestRetry the longest such pause
public record Rhythm(
    Duration burst,
    Duration resync,
    Duration longestResync,
    Duration live,
    Duration firstRetry,
    Duration longestRetry) {
  public static final Rhythm DEFAULT =
      new Rhythm(
          Duration.ofMillis(50),
          Duration.ofSeconds(10),
          Duration.ofSeconds(60),
          Duration.ofMinutes(10),
          Duration.ofSeconds(1),
          Duration.ofSeconds(30));

  /// How long a site at rest goes without a turn: about one site per second has one, however many
  /// there are.
  Duration atRest(int sites) {
    Duration fair = Duration.ofSeconds(sites);
    if (fair.compareTo(resync) < 0) {
      return resync;
    }
    return fair.compareTo(longestResync) > 0 ? longestResync : fair;
  }
}
