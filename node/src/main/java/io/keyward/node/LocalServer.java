package io.keyward.node;

import io.keyward.kube.Api;
import io.keyward.kube.ClusterFailure;
import java.time.Instant;
import java.util.Optional;

/// The API server of this node, as it answers.
final class LocalServer {
  private static final String START = "process_start_time_seconds ";

  private final Api api;

  LocalServer(Api api) {
    this.api = api;
  }

  /// What is known of it now.
  ///
  /// @param startedAt absent where it does not answer
  record State(boolean ready, Optional<Instant> startedAt) {}

  State look() {
    try {
      return new State(isReady(), Optional.of(startedAt()));
    } catch (ClusterFailure _) {
      return new State(false, Optional.empty());
    }
  }

  private boolean isReady() {
    try {
      return api.text("/readyz").equals("ok");
    } catch (ClusterFailure e) {
      if (e.status() == 0) {
        throw e;
      }
      return false;
    }
  }

  private Instant startedAt() {
    return api.text("/metrics")
        .lines()
        .filter(line -> line.startsWith(START))
        .findFirst()
        .map(line -> Double.parseDouble(line.substring(START.length())))
        .map(seconds -> Instant.ofEpochMilli(Math.round(seconds * 1000)))
        .orElseThrow(() -> new ClusterFailure("the API server does not say when it started"));
  }
}
