package io.keyward.core.prune;

import io.keyward.core.model.Blocker;
import io.keyward.core.model.key.KeySerial;
import java.util.List;
import java.util.SortedSet;

/// Which key secrets go. Each of them is unused for a reason that can be read off the state.
public sealed interface PruneDecision {
  record Nothing() implements PruneDecision {}

  record Wait(Blocker blocker, String on) implements PruneDecision {}

  /// Remove the finalizer, then delete.
  ///
  /// @param damaged names of secrets that cannot be read and are older than every key in use
  record Delete(SortedSet<KeySerial> serials, List<String> damaged) implements PruneDecision {}
}
