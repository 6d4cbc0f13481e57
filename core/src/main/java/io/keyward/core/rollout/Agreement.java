package io.keyward.core.rollout;

import io.keyward.core.model.Blocker;
import java.util.OptionalLong;

/// Whether all instances run one revision. The configuration of that revision is read afterwards.
public sealed interface Agreement {
  /// All run this one.
  ///
  /// @param witness names every instance and its start
  record Agreed(long revision, String witness) implements Agreement {}

  /// Not all are ready or alike.
  ///
  /// @param revision what all of them run, ready or not; absent while they differ. Only the newest
  ///   revision may be relied on
  /// @param failing the newest revision does not work somewhere
  record Rolling(String waitingFor, OptionalLong revision, boolean failing) implements Agreement {}

  record Stuck(String problem) implements Agreement {}

  /// Some instance runs a configuration that the cluster does not know.
  record Unknown(Blocker blocker, String problem) implements Agreement {}
}
