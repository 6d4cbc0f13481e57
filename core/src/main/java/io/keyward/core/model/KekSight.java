package io.keyward.core.model;

import java.util.Optional;
import java.util.Set;

/// Which versions of the remote key the instances may be writing under.
///
/// @param settled the one that all are sure to write under
/// @param seen every version in a fresh report; more than the recorded one makes a record untrue
public record KekSight(Optional<KekId> settled, Set<KekId> seen) {
  public static final KekSight NONE = new KekSight(Optional.empty(), Set.of());

  public KekSight {
    seen = Set.copyOf(seen);
  }

  public static KekSight of(KekId settled) {
    return new KekSight(Optional.of(settled), Set.of(settled));
  }

  boolean contradicts(KekId recorded) {
    return seen.stream().anyMatch(kek -> !kek.equals(recorded));
  }

  /// The record of one resource cannot be relied on from here on.
  public boolean voids(Optional<KekId> recorded) {
    return recorded.filter(this::contradicts).isPresent();
  }
}
