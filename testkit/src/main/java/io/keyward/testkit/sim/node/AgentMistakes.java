package io.keyward.testkit.sim.node;

import io.keyward.core.rollout.node.NodeDecider;
import io.keyward.core.rollout.node.NodeDecision;
import io.keyward.core.rollout.node.NodeView;
import io.keyward.core.rollout.node.NodeView.OnDisk;
import java.time.Instant;
import java.util.Optional;

/// Mistakes of node agents.
public final class AgentMistakes {
  /// The API server is restarted, and its file was never replaced.
  public static final AgentRules WRITES_NO_FILE =
      in(AgentRules.Order.NUMBER_ONLY, NodeDecider::decide);

  /// The number stands before the configuration does, and a crash may come between.
  public static final AgentRules WRITES_THE_NUMBER_FIRST =
      in(AgentRules.Order.NUMBER_FIRST, NodeDecider::decide);

  /// The digest that the API server reports is not compared with the file.
  public static final AgentRules IGNORES_THE_LOADED_DIGEST =
      new AgentRules() {
        @Override
        public NodeDecision decide(NodeView seen) {
          return NodeDecider.decide(withoutLoaded(seen));
        }

        @Override
        public boolean isReady(NodeView seen) {
          return NodeDecider.isReady(withoutLoaded(seen));
        }
      };

  private AgentMistakes() {}

  private static AgentRules in(AgentRules.Order order, AgentRules rules) {
    return new AgentRules() {
      @Override
      public NodeDecision decide(NodeView seen) {
        return rules.decide(seen);
      }

      @Override
      public Order order() {
        return order;
      }
    };
  }

  /// What is on the disk counts as what the process runs.
  public static NodeDecision reportsTooEarly(NodeView seen) {
    return seen.wanted() == seen.disk().revision() && seen.disk().revision() > 0
        ? new NodeDecision.Arrived(seen.disk().revision())
        : NodeDecider.decide(seen);
  }

  /// The process from before the write counts as one that has read the files.
  public static NodeDecision takesTheOldProcessForTheNewOne(NodeView seen) {
    OnDisk disk = seen.disk();
    return NodeDecider.decide(
        with(
            seen,
            new OnDisk(
                disk.revision(),
                disk.digest(),
                disk.isNewConfig(),
                Instant.EPOCH,
                Optional.empty(),
                disk.isIntact())));
  }

  /// The API server is started with a file that somebody edited.
  public static NodeDecision ignoresTheDigestOfTheFile(NodeView seen) {
    OnDisk disk = seen.disk();
    return NodeDecider.decide(
        with(
            seen,
            new OnDisk(
                disk.revision(),
                disk.digest(),
                disk.isNewConfig(),
                disk.writtenAt(),
                disk.before(),
                true)));
  }

  private static NodeView withoutLoaded(NodeView seen) {
    NodeView.Server server = seen.server();
    return new NodeView(
        seen.wanted(),
        seen.disk(),
        new NodeView.Server(server.ready(), server.process(), Optional.empty()),
        seen.arrived(),
        seen.restartWait(),
        seen.failure(),
        seen.existing());
  }

  /// A configuration that was not created by Keyward is replaced.
  public static NodeDecision writesOverAnExistingConfiguration(NodeView seen) {
    return NodeDecider.decide(
        new NodeView(
            seen.wanted(),
            seen.disk(),
            seen.server(),
            seen.arrived(),
            seen.restartWait(),
            seen.failure(),
            Optional.empty()));
  }

  /// An API server that still runs the files from before is left alone.
  public static NodeDecision neverRestarts(NodeView seen) {
    NodeDecision decision = NodeDecider.decide(seen);
    return decision instanceof NodeDecision.Restart || decision instanceof NodeDecision.RestartAgain
        ? new NodeDecision.Wait()
        : decision;
  }

  /// A revision that arrived is never reported.
  public static NodeDecision neverArrives(NodeView seen) {
    NodeDecision decision = NodeDecider.decide(seen);
    return decision instanceof NodeDecision.Arrived ? new NodeDecision.Wait() : decision;
  }

  private static NodeView with(NodeView seen, OnDisk disk) {
    return new NodeView(
        seen.wanted(),
        disk,
        seen.server(),
        seen.arrived(),
        seen.restartWait(),
        seen.failure(),
        seen.existing());
  }
}
