package io.keyward.core.act;

import java.util.Locale;

/// A part of a plan that fails by itself and is reported by itself.
public enum Feature {
  MIGRATION,
  KEY,
  LAYOUT,
  PREFLIGHT,
  PRUNE,
  HEALTH,
  ROLLOUT,
  CONDITIONS;

  /// The word for it in logs, metrics and failures.
  public String word() {
    return name().toLowerCase(Locale.ROOT);
  }
}
