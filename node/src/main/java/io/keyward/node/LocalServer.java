package io.keyward.node;

import io.keyward.kube.Api;
import io.keyward.kube.ClusterFailure;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The API server of this node, as it answers.
final class LocalServer {
  private static final String START = "process_start_time_seconds ";
  private static final Pattern LOADED =
      Pattern.compile(
          "apiserver_encryption_config_controller_last_config_info\\{.*hash=\"sha256:([0-9a-f]{64})\"}.*");

  /// The kernel tells the time of its own start in whole seconds, and starts of processes from it.
  private static final Duration BLUR = Duration.ofSeconds(1);

  private final Api api;

  LocalServer(Api api) {
    this.api = api;
  }

  /// What is known of it now.
  ///
  /// @param startedAt absent where it does not answer
  /// @param loaded the digest of the configuration that it has read; absent where it does not say
  record State(boolean ready, Optional<Instant> startedAt, Optional<String> loaded) {
    static final State SILENT = new State(false, Optional.empty(), Optional.empty());

    /// Whether it was started for what lies on the disk.
    boolean runs(Host host) {
      if (host.revision() == 0) {
        return true;
      }
      if (startedAt.isEmpty()) {
        return false;
      }
      Instant start = startedAt.orElseThrow();
      if (loaded.isEmpty()) {
        return start.isAfter(host.writtenAt());
      }
      return loaded.orElseThrow().equals(Hex.sha256(host.config()))
          && (host.isNewConfig() || start.plus(BLUR).isAfter(host.writtenAt()));
    }
  }

  State look() {
    try {
      boolean ready = isReady();
      String metrics = api.text("/metrics");
      return new State(ready, Optional.of(startedAt(metrics)), loaded(metrics));
    } catch (ClusterFailure _) {
      return State.SILENT;
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

  private static Optional<String> loaded(String metrics) {
    return metrics
        .lines()
        .map(LOADED::matcher)
        .filter(Matcher::matches)
        .map(found -> found.group(1))
        .findFirst();
  }

  private static Instant startedAt(String metrics) {
    return metrics
        .lines()
        .filter(line -> line.startsWith(START))
        .findFirst()
        .map(line -> Double.parseDouble(line.substring(START.length())))
        .map(seconds -> Instant.ofEpochMilli(Math.round(seconds * 1000)))
        .orElseThrow(() -> new ClusterFailure("the API server does not say when it started"));
  }
}
