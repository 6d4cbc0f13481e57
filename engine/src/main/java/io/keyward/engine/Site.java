package io.keyward.engine;

import java.util.Optional;

/// One API server of one cluster. The engine knows nothing else about clusters.
public interface Site {
  SiteId id();

  /// Reads everything live: a stale read could break the order of keys.
  SiteSnapshot observe();

  /// The same from caches that watches feed. It sends no request and may be stale, so no act is
  /// applied to it: it only shows whether a live look is worth its requests. Empty while the caches
  /// are incomplete.
  default Optional<SiteSnapshot> glance() {
    return Optional.empty();
  }

  /// Reports why there is no turn, or that there is one again.
  default void complain(Optional<String> problem) {}
}
