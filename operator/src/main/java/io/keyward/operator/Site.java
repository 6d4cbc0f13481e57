package io.keyward.operator;

import java.util.Optional;

/// One API server of one cluster.
public interface Site {
  String component();

  /// Reads everything live: a stale read could break the order of keys.
  SiteSnapshot observe();

  /// Tells the admin why there is no turn, or that there is one again.
  default void complain(Optional<String> problem) {}
}
