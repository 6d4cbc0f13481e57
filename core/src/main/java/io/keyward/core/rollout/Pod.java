package io.keyward.core.rollout;

import java.time.Instant;

/// One API server pod.
///
/// @param revision the text of its `revision` label, empty where there is none
public record Pod(
    String name, String node, Phase phase, boolean ready, String revision, Instant startedAt) {
  public enum Phase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    UNKNOWN;

    /// Whether its processes have ended for good.
    public boolean isOver() {
      return this == SUCCEEDED || this == FAILED;
    }
  }
}
