package io.keyward.node.agent;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.status.NodeStatus;
import io.keyward.codec.status.OperatorStatus;
import io.keyward.codec.status.StatusBody;
import io.keyward.core.rollout.node.ApiServerProcess;
import io.keyward.core.rollout.node.NodeView;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.node.cluster.Stopwatch;
import io.keyward.node.host.Hex;
import io.keyward.node.host.Installed;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;
import java.util.function.Consumer;
import java.util.function.LongSupplier;

/// What stands of one node in the status, and what its agent writes there: what changed, and what
/// stands otherwise.
public final class NodeReporter {
  private static final Duration AGAIN = Duration.ofSeconds(30);

  /// Where the status went back, the operator must not believe it for long.
  private static final Duration SOON = Duration.ofSeconds(2);

  /// No field manager may have a longer name.
  private static final int LONGEST_MANAGER = 128;

  private final Consumer<ObjectNode> write;
  private final String node;
  private final StatusBody status;
  private final Stopwatch told;
  private Optional<NodeStatus> reported = Optional.empty();
  private Optional<Instant> lastStart = Optional.empty();

  NodeReporter(Api cluster, Component component, String node, LongSupplier nanos) {
    this(
        body -> cluster.apply(component.operatorPath() + "/status", manager(node), body),
        component,
        node,
        nanos);
  }

  /// @param write has the status say this
  NodeReporter(Consumer<ObjectNode> write, Component component, String node, LongSupplier nanos) {
    this.write = write;
    this.node = node;
    this.status = component.status();
    this.told = new Stopwatch(nanos);
  }

  /// Whether this process has said anything yet.
  boolean hasSpoken() {
    return reported.isPresent();
  }

  Optional<NodeStatus> own(OperatorStatus seen) {
    return seen.node(node);
  }

  void report(OperatorStatus seen, NodeView.Server server, NodeReport report) {
    // Between two starts the last one counts. A node without any counts as one without a pod.
    lastStart = server.process().map(ApiServerProcess::startedAt).or(() -> lastStart);
    var now =
        NodeStatus.report(
            node,
            server.ready(),
            report.arrived(),
            lastStart,
            report.failure(),
            report.existing(),
            report.installed().map(Installed::revision).orElse(0L),
            report.installed().map(Installed::digest));
    // A node may have left and come back. At leisure: what was seen may be older than what was
    // reported, and the node may have left for good. A status that comes from a backup is corrected
    // at once.
    boolean isDue =
        (told.isPast(AGAIN) && own(seen).filter(now::isSameReport).isEmpty())
            || (told.isPast(SOON) && wentBack(now, own(seen)));
    if (!reported.equals(Optional.of(now)) || isDue) {
      write.accept(status.report(now));
      reported = Optional.of(now);
      told.start();
    }
  }

  /// Numbers of revisions only grow, except where etcd was restored from a backup.
  private static boolean wentBack(NodeStatus now, Optional<NodeStatus> seen) {
    return seen.filter(NodeStatus::reports)
        .filter(one ->
            one.current() < now.current()
                || (one.installed() > 0 && one.installed() < now.installed()))
        .isPresent();
  }

  static String manager(String node) {
    String plain = "keyward-node-agent-" + node;
    return plain.length() <= LONGEST_MANAGER
        ? plain
        : "keyward-node-agent-" + Hex.sha256(node.getBytes(StandardCharsets.UTF_8));
  }
}
