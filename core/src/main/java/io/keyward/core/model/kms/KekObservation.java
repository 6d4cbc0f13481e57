package io.keyward.core.model.kms;

import java.time.Instant;
import java.util.List;
import java.util.Optional;
import java.util.Set;

/// Which versions of the remote key the instances may be writing under, and which they left.
///
/// @param settled the one that all are sure to write under
/// @param since when the last of the instances came to it; present where `settled` is
/// @param seen every version in a fresh report; more than the recorded one makes a record untrue
/// @param reports all of the write key, also old ones and those of instances that are gone. A
///   version that came and went between two looks shows in them
public record KekObservation(
    Optional<KekId> settled, Optional<Instant> since, Set<KekId> seen, List<HealthReport> reports) {
  public static final KekObservation NONE =
      new KekObservation(Optional.empty(), Optional.empty(), Set.of(), List.of());

  public KekObservation {
    seen = Set.copyOf(seen);
    reports = List.copyOf(reports);
  }

  /// The record of one resource cannot be relied on from here on.
  ///
  /// @param from what was known when it was made; absent where others made it
  public boolean voids(Optional<KekId> recorded, Optional<Instant> from) {
    return recorded
        .filter(kek ->
            seen.stream().anyMatch(other -> !other.equals(kek))
                || from.filter(time -> isAnotherKnown(kek, time)).isPresent())
        .isPresent();
  }

  private boolean isAnotherKnown(KekId kek, Instant after) {
    return reports.stream().anyMatch(report -> report.tellsOfAnother(kek, after));
  }
}
