package io.keyward.testbed.pod;

import java.util.List;

/// What a Deployment does next with its pods: one more than wanted is started, and an old one ends
/// when enough others are ready. `maxSurge` is 1 and `maxUnavailable` is 0.
final class RollingUpdate {
  private RollingUpdate() {}

  /// A pod as it counts here.
  ///
  /// @param current whether it is of the present template
  /// @param ending whether it was told to end
  record State(boolean current, boolean ready, boolean ending) {}

  sealed interface Next {
    record Nothing() implements Next {}

    record Start() implements Next {}

    /// The one at this place.
    record End(int index) implements Next {}
  }

  static Next next(int replicas, List<State> pods) {
    long serving = pods.stream().filter(pod -> pod.ready() && !pod.ending()).count();
    for (int i = 0; i < pods.size(); i++) {
      State pod = pods.get(i);
      if (!pod.ending() && !pod.current() && (!pod.ready() || serving > replicas)) {
        return new Next.End(i);
      }
    }
    long alive = pods.stream().filter(pod -> !pod.ending()).count();
    long fresh = pods.stream().filter(pod -> !pod.ending() && pod.current()).count();
    if (fresh > replicas) {
      for (int i = pods.size() - 1; i >= 0; i--) {
        if (!pods.get(i).ending()) {
          return new Next.End(i);
        }
      }
    }
    return fresh < replicas && alive <= replicas ? new Next.Start() : new Next.Nothing();
  }
}
