package io.keyward.core.model.rollout;

import java.time.Instant;
import java.util.Optional;

/// A node that still has an entry in the status, although it is no longer a node of this API
/// server.
///
/// @param speaks whether its agent has reported something that is still there
/// @param asked when its last report was removed, so that a live agent reports again
/// @param answered whether it had reported again by then
public record RemovedNode(String node, boolean speaks, Optional<Instant> asked, boolean answered) {
  /// Whether its agent is alive, as far as is known.
  public boolean reports() {
    return answered || (speaks && asked.isPresent());
  }
}
