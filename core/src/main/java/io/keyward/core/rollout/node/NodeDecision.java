package io.keyward.core.rollout.node;

/// What an agent does next on its node.
public sealed interface NodeDecision {
  /// Bring this revision here, and start the API server anew.
  record Bring(long revision) implements NodeDecision {}

  /// Start the API server anew: it runs since before the files were written.
  record Restart() implements NodeDecision {}

  /// The same again, since the last time did not help.
  record RestartAgain(NodeFailure failure) implements NodeDecision {}

  /// The API server is ready with this revision.
  record Arrived(long revision) implements NodeDecision {}

  /// There is nothing more to try until somebody changes something.
  record GiveUp(NodeFailure failure) implements NodeDecision {}

  /// Somebody starts the API server, or nobody has to.
  record Wait() implements NodeDecision {}
}
