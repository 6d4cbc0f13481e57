package io.keyward.core.rollout;

import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.model.rollout.RemovedNode;
import java.util.List;

/// What happens to revisions and nodes next. At most one node is on its way at a time.
public sealed interface RolloutDecision {
  record Nothing() implements RolloutDecision {}

  /// Let the manifest go with the configuration.
  record Complete(List<ManifestNeed> needs) implements RolloutDecision {
    public Complete {
      needs = List.copyOf(needs);
    }
  }

  /// Take a snapshot of what was written, under this number.
  record Snapshot(long revision) implements RolloutDecision {}

  /// This node is next.
  record Advance(String node, long revision) implements RolloutDecision {}

  /// The Deployment gets the newest revision by name.
  record Deploy(String deployment, long revision) implements RolloutDecision {}

  /// What these nodes said is taken away, so that it shows which of them still say something.
  record Ask(List<RemovedNode> nodes) implements RolloutDecision {
    public Ask {
      nodes = List.copyOf(nodes);
    }
  }

  /// Nothing is told of these nodes any more.
  record Forget(List<String> nodes) implements RolloutDecision {
    public Forget {
      nodes = List.copyOf(nodes);
    }
  }

  record Wait(String on) implements RolloutDecision {}

  /// Somebody has to do something first.
  record Refuse(String problem) implements RolloutDecision {}
}
