package io.keyward.operator;

import java.util.List;
import java.util.Optional;

/// Revisions and nodes of one API server.
///
/// @param published names the content that was last written; absent where nothing was written
/// @param latest the newest complete revision, 0 where there is none
/// @param latestContent names the content of that revision
public record RolloutView(
    Optional<String> published,
    Manifest manifest,
    long latest,
    Optional<String> latestContent,
    List<Node> nodes) {

  /// The manifest that a revision carries beside the configuration.
  public sealed interface Manifest {
    /// Somebody else says how the API server is started.
    record Unused() implements Manifest {}

    /// There should be one.
    record Absent(String where) implements Manifest {}

    record Present(List<ManifestNeed> needs) implements Manifest {
      public Present {
        needs = List.copyOf(needs);
      }
    }
  }

  /// One control-plane node.
  ///
  /// @param failed the revision that it could not run, 0 where there is none
  public record Node(String name, long current, long target, long failed, boolean ready) {}

  public RolloutView {
    nodes = List.copyOf(nodes);
  }
}
