package io.keyward.core.model;

import io.keyward.core.model.kms.PreflightState;
import java.time.Duration;

/// What an admin may tune. The defaults are those of the systems we replace, where they have one.
///
/// @param rotateLocalAfter age of a local key, counted from the end of its migration
/// @param retireKmsAfter how long a KMS that was migrated away from stays readable
/// @param keepUnusedKeys how many unused key secrets are kept
/// @param preflightHolds how long a passed preflight counts
/// @param probeInterval how often plugins are probed; one that failed twice in a row is unhealthy
/// @param reportInterval how often monitors report; four of them missed make a report stale
/// @param kekSettles longer than an API server may go on writing under the KEK it saw before
/// @param releaseBeforeReadsKms whether an older release could read what KMS keys sealed
public record Settings(
    Duration rotateLocalAfter,
    Duration retireKmsAfter,
    int keepUnusedKeys,
    Duration preflightHolds,
    Duration probeInterval,
    Duration reportInterval,
    Duration kekSettles,
    boolean releaseBeforeReadsKms) {
  /// A DEK seed lives 3 minutes after the last good status, and the API server polls each minute.
  private static final Duration DEK_SEED_AND_POLL = Duration.ofMinutes(4);

  public static final Settings DEFAULT =
      new Settings(
          Duration.ofDays(7),
          Duration.ofDays(7),
          10,
          Duration.ofHours(1),
          Duration.ofSeconds(10),
          Duration.ofSeconds(30),
          DEK_SEED_AND_POLL,
          false);

  /// With the usual time between two probes.
  public Settings(
      Duration rotateLocalAfter,
      Duration retireKmsAfter,
      int keepUnusedKeys,
      Duration preflightHolds,
      Duration reportInterval,
      Duration kekSettles,
      boolean releaseBeforeReadsKms) {
    this(
        rotateLocalAfter,
        retireKmsAfter,
        keepUnusedKeys,
        preflightHolds,
        DEFAULT.probeInterval,
        reportInterval,
        kekSettles,
        releaseBeforeReadsKms);
  }

  public Duration reportHolds() {
    return reportInterval.multipliedBy(4);
  }

  /// One dropped probe flips nothing: a plugin is unhealthy only after two intervals in a row.
  public Duration unhealthyAfter() {
    return probeInterval.multipliedBy(2);
  }

  public Duration preflightBackoff(int attempt) {
    return PreflightState.backoff(Duration.ofSeconds(30), Duration.ofMinutes(10), attempt);
  }

  public Duration migrationBackoff(int attempt) {
    return PreflightState.backoff(Duration.ofMinutes(1), Duration.ofMinutes(30), attempt);
  }
}
