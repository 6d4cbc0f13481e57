package io.keyward.storage.audit;

import java.util.List;
import java.util.Optional;

/// What was audited. `digestValid` is empty where there is no digest to check; `limits` are those
/// of [Coverage].
public record Source(
    String name,
    long revision,
    long compactedRevision,
    long liveKeys,
    long revisions,
    long tombstones,
    Optional<Boolean> digestValid,
    List<String> limits) {
  public Source {
    limits = List.copyOf(limits);
  }
}
