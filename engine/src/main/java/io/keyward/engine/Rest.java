package io.keyward.engine;

import java.time.Duration;

/// How long a site rests between two turns.
///
/// @param atLeast an event does not wake it earlier
/// @param atMost it wakes by itself
record Rest(Duration atLeast, Duration atMost) {
  Rest {
    if (atLeast.isNegative() || atMost.compareTo(atLeast) < 0) {
      throw new IllegalArgumentException("a rest of " + atLeast + " to " + atMost);
    }
  }
}
