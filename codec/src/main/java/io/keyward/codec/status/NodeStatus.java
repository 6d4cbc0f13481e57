package io.keyward.codec.status;

import io.keyward.core.rollout.OneLine;
import io.keyward.core.rollout.node.NodeFailure;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// One entry of `nodeStatuses`: what the agent of a node reports, and what the operator asks of it.
///
/// @param reports whether an agent wrote any of it
/// @param current the revision that its API server runs
/// @param started when that API server was started
/// @param failure the last revision that it could not run
/// @param existing an encryption configuration that was not created by Keyward, without anything
///   secret
/// @param installed the revision in its files; 0 where there is none
/// @param digest the SHA-256 of the configuration in its files
/// @param target the revision that the operator wants it to run
/// @param asked when the operator asked whether a removed node still reports
/// @param answered whether it had reported before it was asked
public record NodeStatus(
    String name,
    boolean reports,
    boolean ready,
    long current,
    Optional<Instant> started,
    Optional<NodeFailure> failure,
    Optional<String> existing,
    long installed,
    Optional<String> digest,
    long target,
    Optional<Instant> asked,
    boolean answered) {

  /// A node of which nothing is known.
  public static NodeStatus unknown(String name) {
    return new NodeStatus(
        name,
        false,
        false,
        0,
        Optional.empty(),
        Optional.empty(),
        Optional.empty(),
        0,
        Optional.empty(),
        0,
        Optional.empty(),
        false);
  }

  /// An agent's report on its node, as it will be read again.
  public static NodeStatus report(
      String name,
      boolean ready,
      long current,
      Optional<Instant> started,
      Optional<NodeFailure> failure,
      Optional<String> existing,
      long installed,
      Optional<String> digest) {
    return new NodeStatus(
        name,
        true,
        ready,
        current,
        started.map(at -> at.truncatedTo(ChronoUnit.SECONDS)),
        failure,
        existing.map(OneLine::of),
        installed,
        digest,
        0,
        Optional.empty(),
        false);
  }

  /// Whether both say the same, but for what the operator writes.
  public boolean isSameReport(NodeStatus other) {
    return report().equals(other.report());
  }

  private NodeStatus report() {
    return report(name, ready, current, started, failure, existing, installed, digest);
  }
}
