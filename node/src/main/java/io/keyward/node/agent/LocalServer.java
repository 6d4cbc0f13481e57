package io.keyward.node.agent;

import io.keyward.core.rollout.node.NodeView;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.node.cluster.Stopwatch;
import io.keyward.node.host.MachineBoot;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.LongSupplier;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The API server of this node, as it answers.
public final class LocalServer {
  private static final String START = "process_start_time_seconds ";
  private static final Pattern LOADED =
      Pattern.compile(
          "apiserver_encryption_config_controller_last_config_info\\{.*hash=\"sha256:([0-9a-f]{64})\"}.*");

  /// Metrics of an API server are large; while nothing changes they are read less often.
  private static final Duration REST = Duration.ofSeconds(10);

  /// Whether it is ready is a short question, and others wait for the answer.
  private static final Duration GLANCE = Duration.ofSeconds(2);

  private final Api api;
  private final Stopwatch looked;
  private final Stopwatch glanced;
  private boolean rests;
  private NodeView.Server known = NodeView.Server.UNREACHABLE;

  /// @param nanos counts up from anywhere
  LocalServer(Api api, LongSupplier nanos) {
    this.api = api;
    this.looked = new Stopwatch(nanos);
    this.glanced = new Stopwatch(nanos);
  }

  /// Whether nothing is under way, so that what was seen lately will do.
  void mayRest(boolean rest) {
    rests = rest;
  }

  NodeView.Server look() {
    if (!rests || looked.isPast(REST) || (glanced.isPast(GLANCE) && !isStillReady())) {
      known = ask();
      looked.start();
      glanced.start();
    }
    return known;
  }

  private boolean isStillReady() {
    glanced.start();
    try {
      return known.ready() && isReady();
    } catch (ClusterFailure _) {
      return false;
    }
  }

  /// Where somebody sets the clock between two questions, their answers do not belong together.
  private NodeView.Server ask() {
    try {
      boolean ready = isReady();
      MachineBoot boot = MachineBoot.read();
      String metrics = api.text("/metrics");
      if (!boot.equals(MachineBoot.read())) {
        boot = MachineBoot.read();
        metrics = api.text("/metrics");
      }
      return new NodeView.Server(
          ready, Optional.of(boot.process(startedAt(metrics))), loaded(metrics));
    } catch (ClusterFailure _) {
      return NodeView.Server.UNREACHABLE;
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
