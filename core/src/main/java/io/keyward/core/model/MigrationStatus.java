package io.keyward.core.model;

import java.time.Instant;

/// A storage migration as it stands.
///
/// @param witness the instances it was started under; see [Rollout.Converged]
/// @param attempt from 1
public record MigrationStatus(
    Resource resource, MigrationTarget target, String witness, int attempt, State state) {

  public sealed interface State {
    record Running() implements State {}

    record Succeeded(Instant at) implements State {}

    record Failed(Instant at, String message) implements State {}
  }
}
