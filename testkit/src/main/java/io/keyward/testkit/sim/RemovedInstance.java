package io.keyward.testkit.sim;

import io.keyward.core.model.rollout.RemovedNode;
import java.time.Instant;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// An instance whose node was removed from the cluster. Its machine runs on until somebody stops
/// it: its API server still writes, and its agent still reports.
final class RemovedInstance {
  /// An agent corrects a wrong entry within this time.
  private static final long REPORTS_WITHIN = 30;

  final Instance instance;
  private long stopsAt;
  private boolean runs = true;
  private boolean speaks = true;
  private boolean answered;
  private boolean isForgotten;
  private @Nullable Instant asked;

  RemovedInstance(Instance instance, long stopsAt) {
    this.instance = instance;
    this.stopsAt = stopsAt;
  }

  /// Whether its API server may still write.
  boolean runs() {
    return runs;
  }

  /// Whether the status still has an entry of it.
  boolean isListed() {
    return !isForgotten;
  }

  /// Time has passed.
  ///
  /// @return whether its agent reported again
  boolean pass(long now) {
    runs = runs && now < stopsAt;
    Instant question = asked;
    boolean isDue = question != null && now >= question.getEpochSecond() + REPORTS_WITHIN;
    if (!runs || speaks || isForgotten || !isDue) {
      return false;
    }
    speaks = true;
    return true;
  }

  /// Somebody stops the machine.
  void stop() {
    stopsAt = Long.MIN_VALUE;
    runs = false;
  }

  RemovedNode asNode() {
    return new RemovedNode(instance.node, speaks, Optional.ofNullable(asked), answered);
  }

  void ask(RemovedNode seen, Instant now) {
    answered = seen.reports();
    speaks = false;
    asked = now;
  }

  void forget() {
    isForgotten = true;
  }
}
