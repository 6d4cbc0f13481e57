package io.keyward.core.rollout;

import io.keyward.core.layout.LayoutDecider;
import io.keyward.core.layout.LayoutDecision;
import io.keyward.core.model.Blocker;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.rollout.Rollout;
import java.util.Optional;
import java.util.TreeSet;

/// Whether the published configuration may be rolled out beside the running ones. Keyward may not
/// have written it: an old copy that somebody put back lacks the key that instances write with.
///
/// @param written the configuration that would become a revision; absent where none can be read
/// @param due the configuration that this turn writes, or that it found published as it should be
/// @param step the configuration that may follow the one that all instances run, ready or not
/// @param unknown the problem that an instance runs a configuration which the cluster does not
///   know; nothing is published then
/// @param newest the configuration of the newest revision that an instance has or is to get,
///   without withdrawn keys; absent where nothing runs yet, or that revision cannot be read
record RolloutSafety(
    Optional<String> unknown,
    Optional<EncryptionLayout> written,
    Optional<EncryptionLayout> due,
    Optional<EncryptionLayout> step,
    Optional<EncryptionLayout> newest) {
  static final RolloutSafety NONE =
      new RolloutSafety(
          Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty(), Optional.empty());

  /// Of the published configuration.
  ///
  /// @param layout what the turn decided about it
  static RolloutSafety of(ObservedState seen, LayoutDecision layout) {
    return of(seen, layout, seen.stored().published(), seen.revisions().newest());
  }

  /// Where another configuration may be written by the time it is rolled out.
  ///
  /// @param written as it is now; the turn may have written it after it looked
  static RolloutSafety of(
      ObservedState seen,
      LayoutDecision layout,
      Optional<EncryptionLayout> written,
      Optional<EncryptionLayout> newest) {
    return new RolloutSafety(
        seen.rollout() instanceof Rollout.Unknown(_, var problem)
            ? Optional.of(problem)
            : Optional.empty(),
        written,
        due(seen, layout),
        seen.isConverged()
            ? due(seen, layout)
            : asIfReady(seen).flatMap(ready -> due(ready, LayoutDecider.decide(ready))),
        newest.map(seen::withoutRetracted));
  }

  private static Optional<EncryptionLayout> due(ObservedState seen, LayoutDecision layout) {
    return switch (layout) {
      case LayoutDecision.Publish publish -> Optional.of(publish.layout());
      case LayoutDecision.InSync _ -> seen.stored().published();
      case LayoutDecision.Wait(var blocker, _) ->
          blocker == Blocker.PUBLISHED ? seen.stored().published() : Optional.empty();
      case LayoutDecision.Commit _, LayoutDecision.Idle _ -> Optional.empty();
    };
  }

  /// Where all instances run the same and one is not ready, what was written before may be just
  /// what it lacks, for example that a KMS that is gone has left.
  private static Optional<ObservedState> asIfReady(ObservedState seen) {
    return seen.rollout() instanceof Rollout.Rolling(_, var running, _) && running.isPresent()
        ? Optional.of(seen.with(new Rollout.Converged(0, running, "", new TreeSet<>())))
        : Optional.empty();
  }

  /// Whether it may become a revision. The same providers are safe on top of anything.
  boolean isSafe() {
    return written.filter(this::isUnsafe).isEmpty();
  }

  private boolean isUnsafe(EncryptionLayout layout) {
    if (due.filter(one -> !one.isSame(layout)).isPresent()) {
      return true;
    }
    return newest.filter(one -> !one.hasSameProviders(layout)).isPresent()
        && step.filter(layout::isSame).isEmpty();
  }
}
