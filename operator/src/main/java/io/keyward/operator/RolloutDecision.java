package io.keyward.operator;

/// What happens to revisions and nodes next. At most one node is on its way at a time.
public sealed interface RolloutDecision {
  record Nothing() implements RolloutDecision {}

  /// Take a snapshot of what was written, under this number.
  record Snapshot(long revision) implements RolloutDecision {}

  /// This node is next.
  record Advance(String node, long revision) implements RolloutDecision {}

  record Wait(String on) implements RolloutDecision {}
}
