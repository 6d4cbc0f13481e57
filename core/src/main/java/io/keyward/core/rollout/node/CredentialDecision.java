package io.keyward.core.rollout.node;

import java.time.Instant;

/// What the credentials of a node agent are worth.
public sealed interface CredentialDecision {
  /// They work, and there is time for their renewal.
  record Valid(Instant until) implements CredentialDecision {}

  /// They work, but their renewal is overdue.
  ///
  /// @param words the rest of a sentence about them, with the remedy
  record RenewalOverdue(Instant until, String words) implements CredentialDecision {}

  /// No API server accepts them now.
  ///
  /// @param words the rest of a sentence about them, with the remedy
  record Unusable(String words) implements CredentialDecision {}
}
