package io.keyward.core.rollout;

import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Revisions.Node;

/// Numbers of revisions only grow, whatever the status says: it may have been made anew, or come
/// from a backup. Nodes only go up, and a number that meant something else before would let the
/// operator believe that instances run what they do not have.
final class NextRevision {
  private NextRevision() {}

  static long number(Revisions seen) {
    long highest = Math.max(seen.latest(), highestSeen(seen));
    for (long taken : seen.taken()) {
      highest = Math.max(highest, taken);
    }
    return highest + 1;
  }

  /// Some instance knows a revision that is newer than the newest one.
  static boolean isDue(Revisions seen) {
    return highestSeen(seen) > seen.latest();
  }

  private static long highestSeen(Revisions seen) {
    long highest = 0;
    for (Node one : seen.instances()) {
      highest = Math.max(highest, Math.max(one.current(), Math.max(one.target(), one.failed())));
    }
    return highest;
  }
}
