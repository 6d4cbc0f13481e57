package io.keyward.core.model.rollout;

import io.keyward.core.model.Blocker;
import io.keyward.core.model.key.EncryptionLayout;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which configuration the instances of one API server run.
public sealed interface Rollout {
  /// All of them run the same revision.
  ///
  /// @param layout absent where that revision has no encryption configuration
  /// @param witness names every instance and its start; another text means somebody restarted
  record Converged(
      long revision, Optional<EncryptionLayout> layout, String witness, SortedSet<String> nodes)
      implements Rollout {
    public Converged {
      nodes = Collections.unmodifiableSortedSet(new TreeSet<>(nodes));
    }
  }

  /// Goes on by itself.
  ///
  /// @param running the newest revision, if every instance runs it, ready or not
  /// @param failing the newest revision does not work somewhere; a correction may be what it needs
  record Rolling(String waitingFor, Optional<EncryptionLayout> running, boolean failing)
      implements Rollout {
    public Rolling(String waitingFor, Optional<EncryptionLayout> running) {
      this(waitingFor, running, false);
    }

    public Rolling(String waitingFor) {
      this(waitingFor, Optional.empty());
    }
  }

  /// Does not go on without somebody.
  record Stuck(String problem) implements Rollout {}

  /// Some instance runs a configuration that the cluster does not know. It may hold the only copy
  /// of a key, so nothing is written over it.
  ///
  /// @param blocker which of the reasons that users see
  record Unknown(Blocker blocker, String problem) implements Rollout {}
}
