package io.keyward.operator;

/// One API server of one cluster.
public interface Site {
  String component();

  /// Reads everything live: a stale read could break the order of keys.
  Look look();
}
