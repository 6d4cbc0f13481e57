package io.keyward.testkit.sim.node;

/// What API servers and machines differ in, so that every combination is met.
///
/// @param isStaticPod the kubelet runs what a manifest says, each revision has a directory; else
///   there is one file, and a command that restarts the API server
/// @param reportsDigest whether its API server reports the digest of what it has read
/// @param remembersStart whether its API server remembers when it started; else it derives the
///   start from the clock each time
public record Machine(boolean isStaticPod, boolean reportsDigest, boolean remembersStart) {
  /// The first of one kind, and every combination among the next eight.
  public static Machine of(boolean isStaticPod, int number) {
    return new Machine(isStaticPod, number % 2 == 0, number / 2 % 2 == 0);
  }
}
