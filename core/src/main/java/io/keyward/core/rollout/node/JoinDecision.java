package io.keyward.core.rollout.node;

/// What a machine needs on its disk before kubeadm makes it a control-plane node.
public sealed interface JoinDecision {
  /// The files of this revision: kubeadm starts the API server of the machine with them.
  record Write(long revision) implements JoinDecision {}

  /// Nothing: API servers run without an encryption configuration.
  record NothingToWrite() implements JoinDecision {}

  /// The machine must not join yet.
  ///
  /// @param words the reason, and what ends the wait
  record Wait(String words) implements JoinDecision {}
}
