package io.keyward.core.rollout;

/// Whether all instances run one revision. The configuration of that revision is read afterwards.
public sealed interface Agreement {
  /// All run this one.
  ///
  /// @param witness names every instance and its start
  record Agreed(long revision, String witness) implements Agreement {}

  record Rolling(String waitingFor) implements Agreement {}

  record Stuck(String problem) implements Agreement {}
}
