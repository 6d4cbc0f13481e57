package io.keyward.core.model.rollout;

import io.keyward.core.model.key.EncryptionLayout;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// The revisions of one API server, and the instances on their way to them.
///
/// @param published names the content of the published configuration; absent where there is none,
///   or it cannot be read
/// @param latest the newest complete revision, 0 where there is none
/// @param latestContent names the content of that revision
/// @param nodes whose API servers node agents manage
/// @param deployment whose pods are API servers
/// @param removed nodes that still have an entry in the status
/// @param taken numbers above `latest` that a revision has, or may have
/// @param newest the configuration of the newest revision that an instance has or is to get; absent
///   where nothing runs yet, or that revision cannot be read
public record Revisions(
    Optional<String> published,
    Manifest manifest,
    long latest,
    Optional<String> latestContent,
    List<Node> nodes,
    Optional<Deployment> deployment,
    List<RemovedNode> removed,
    SortedSet<Long> taken,
    Optional<EncryptionLayout> newest) {

  public static final Revisions NONE =
      new Revisions(Optional.empty(), new Manifest.Unused(), 0, Optional.empty(), List.of());

  /// The manifest that a revision carries beside the configuration.
  public sealed interface Manifest {
    /// Somebody else says how the API server is started.
    record Unused() implements Manifest {}

    /// There should be one.
    record Absent(String where) implements Manifest {}

    /// It cannot run the configuration, whoever changes it.
    ///
    /// @param problem with what to do, in words
    record Unusable(String problem) implements Manifest {}

    record Present(List<ManifestNeed> needs) implements Manifest {
      public Present {
        needs = List.copyOf(needs);
      }
    }
  }

  /// One control-plane node, or one pod of a Deployment.
  ///
  /// @param failed the revision that it could not run, 0 where there is none
  /// @param failure why it could not, in its own words; empty where it said nothing
  /// @param silence since when its machine does not answer; absent where it does, or nobody knows
  public record Node(
      String name,
      long current,
      long target,
      long failed,
      boolean ready,
      String failure,
      Optional<String> silence) {
    /// One that says nothing of a failure, and answers.
    public Node(String name, long current, long target, long failed, boolean ready) {
      this(name, current, target, failed, ready, "", Optional.empty());
    }
  }

  /// A Deployment and its pods.
  ///
  /// @param needs what its template lacks for the newest revision
  /// @param pods with what they run, and what the template says
  public record Deployment(String name, List<ManifestNeed> needs, int replicas, List<Node> pods) {
    public Deployment {
      needs = List.copyOf(needs);
      pods = List.copyOf(pods);
    }
  }

  public Revisions {
    nodes = List.copyOf(nodes);
    removed = List.copyOf(removed);
    taken = Collections.unmodifiableSortedSet(new TreeSet<>(taken));
  }

  /// Without a Deployment, removed nodes and taken numbers.
  public Revisions(
      Optional<String> published,
      Manifest manifest,
      long latest,
      Optional<String> latestContent,
      List<Node> nodes) {
    this(
        published,
        manifest,
        latest,
        latestContent,
        nodes,
        Optional.empty(),
        List.of(),
        new TreeSet<>(),
        Optional.empty());
  }

  /// The revisions that node agents read: the newest one, which is the next target of every node,
  /// and the present target of each.
  public SortedSet<Long> needed() {
    var needed = new TreeSet<Long>();
    needed.add(latest);
    nodes.forEach(node -> needed.add(node.target()));
    needed.remove(0L);
    return Collections.unmodifiableSortedSet(needed);
  }

  /// Nodes and pods.
  public List<Node> instances() {
    var all = new ArrayList<>(nodes);
    deployment.ifPresent(one -> all.addAll(one.pods()));
    return List.copyOf(all);
  }
}
