package io.keyward.core.rollout;

import io.keyward.core.model.rollout.Revisions;
import java.util.Collection;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.SortedSet;
import java.util.TreeSet;

/// Which revisions may go: all but the last few, and but those that a node runs, goes to or failed
/// at.
public final class RevisionKeeper {
  /// Enough to see how an API server came to where it is.
  static final int KEPT = 5;

  private RevisionKeeper() {}

  /// The revisions that nobody needs.
  ///
  /// @param installed what is in the files of nodes: their content stays comparable
  public static SortedSet<Long> needless(
      Set<Long> existing, long latest, List<Revisions.Node> nodes, Collection<Long> installed) {
    var used = new HashSet<>(installed);
    nodes.forEach(node -> used.addAll(List.of(node.current(), node.target(), node.failed())));
    var needless = new TreeSet<Long>();
    for (long revision : existing) {
      if (revision <= latest - KEPT && !used.contains(revision)) {
        needless.add(revision);
      }
    }
    return needless;
  }
}
