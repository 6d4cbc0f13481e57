package io.keyward.testkit.sim.node;

import io.keyward.core.rollout.node.ApiServerProcess;
import io.keyward.core.rollout.node.NodeDecision;
import io.keyward.core.rollout.node.NodeFailure;
import io.keyward.core.rollout.node.NodeView;
import io.keyward.core.rollout.node.NodeView.OnDisk;
import io.keyward.core.rollout.node.NodeView.RestartWait;
import java.time.Instant;
import java.util.Optional;

/// The process of a node agent: carries out what the rules decide, as the real one does. It starts
/// from the disk and its last report, and may crash between two writes.
public final class SimulatedAgent<C> {
  /// How long an API server may take to become ready.
  private static final long PATIENCE = 300;

  private final SimulatedNode<C> node;
  private final AgentRules rules;
  private boolean hasSpoken;
  private long arrived;
  private Optional<NodeFailure> failure = Optional.empty();
  private long restartedAt = -1;
  private int writesLeft;
  private boolean hasStarted;

  /// What the agent and its machine meet in one step.
  ///
  /// @param wanted the revision that the operator set
  /// @param files of that revision
  /// @param before its own last report
  /// @param ready whether the API server is
  /// @param clock by how much the clock of the machine is ahead
  /// @param writes after so many the agent crashes
  public record Step<C>(
      int wanted,
      ConfigFile<C> files,
      Report before,
      boolean ready,
      long now,
      long clock,
      int writes) {
    Instant time() {
      return Instant.ofEpochSecond(now + clock);
    }
  }

  /// What an agent reports of its API server.
  ///
  /// @param current the newest revision that arrived
  /// @param ready whether the API server is, with that revision
  public record Report(long current, boolean ready, Optional<NodeFailure> failure) {}

  /// What a step does to a file that the agent did not write, and to its API server.
  public interface Witness<C> {
    void onWrite(ConfigFile<C> replaced);

    void onRestart(ConfigFile<C> file);
  }

  public SimulatedAgent(SimulatedNode<C> node, AgentRules rules) {
    this.node = node;
    this.rules = rules;
  }

  /// It forgets everything but its files.
  public void crash() {
    hasSpoken = false;
    arrived = 0;
    failure = Optional.empty();
    restartedAt = -1;
  }

  /// The report; absent where the agent crashed before it.
  public Optional<Report> step(Step<C> step, Witness<C> witness) {
    writesLeft = step.writes();
    hasStarted = false;
    if (!hasSpoken) {
      arrived = Math.min(step.before().current(), node.disk().number());
      failure = step.before().failure();
    }
    NodeView view = view(step, step.wanted());
    NodeDecision decision = rules.decide(view);
    boolean isAlive = carryOut(decision, view, step, witness);
    if (isAlive && decision instanceof NodeDecision.Bring) {
      view = view(step, node.disk().number());
      isAlive = carryOut(rules.decide(view), view, step, witness);
    }
    if (!isAlive) {
      crash();
      return Optional.empty();
    }
    hasSpoken = true;
    return Optional.of(new Report(arrived, rules.isReady(view), failure));
  }

  private NodeView view(Step<C> step, int wanted) {
    int number = node.disk().number();
    return new NodeView(
        wanted,
        number == 0 || wanted > number ? OnDisk.unread(number) : node.disk().view(),
        // A process that this step started is not ready yet.
        node.look(step.ready() && !hasStarted, step.clock()),
        arrived,
        restartedAt < 0
            ? RestartWait.NONE
            : step.now() - restartedAt > PATIENCE ? RestartWait.EXPIRED : RestartWait.PENDING,
        failure,
        node.disk().existing());
  }

  private boolean carryOut(NodeDecision decision, NodeView view, Step<C> step, Witness<C> witness) {
    return switch (decision) {
      case NodeDecision.Bring _ -> bring(step, witness);
      case NodeDecision.Restart _ -> restart(view.server().process(), step, witness);
      case NodeDecision.RestartAgain(var why) -> {
        failure = Optional.of(why);
        yield restart(view.server().process(), step, witness);
      }
      case NodeDecision.Arrived(long revision) -> {
        restartedAt = -1;
        arrived = revision;
        failure = failure.filter(one -> one.revision() > revision);
        yield true;
      }
      case NodeDecision.GiveUp(var why) -> {
        failure = Optional.of(why);
        yield true;
      }
      case NodeDecision.Wait _ -> true;
    };
  }

  private boolean mayWrite() {
    return writesLeft-- > 0;
  }

  private boolean bring(Step<C> step, Witness<C> witness) {
    NodeDisk<C> disk = node.disk();
    ConfigFile<C> files = step.files();
    if (disk.existing().isPresent()) {
      witness.onWrite(disk.config());
    }
    Optional<ApiServerProcess> running = node.look(step.ready(), step.clock()).process();
    boolean isWritten =
        switch (rules.order()) {
          case NUMBER_LAST -> writeFiles(files, running) && writeNumber(files, step);
          case NUMBER_FIRST -> writeNumber(files, step) && writeFiles(files, running);
          case NUMBER_ONLY -> writeNumber(files, step);
        };
    if (!isWritten || !mayWrite()) {
      return false;
    }
    disk.keepDigestOf(files.revision());
    failure = Optional.empty();
    return restart(Optional.empty(), step, witness);
  }

  private boolean writeFiles(ConfigFile<C> files, Optional<ApiServerProcess> running) {
    if (!mayWrite()) {
      return false;
    }
    node.disk().writeDigest(files);
    if (!mayWrite()) {
      return false;
    }
    node.disk().writeConfig(files);
    if (!mayWrite()) {
      return false;
    }
    node.disk().writeBefore(files.revision(), running);
    return true;
  }

  private boolean writeNumber(ConfigFile<C> files, Step<C> step) {
    if (!mayWrite()) {
      return false;
    }
    node.disk().writeNumber(files.revision(), step.time());
    return true;
  }

  /// A command restarts the API server; for a static pod, the kubelet does when its manifest
  /// changes.
  private boolean restart(Optional<ApiServerProcess> old, Step<C> step, Witness<C> witness) {
    if (old.isPresent()) {
      if (!mayWrite()) {
        return false;
      }
      node.disk().writeBefore(node.disk().number(), old);
    }
    if (!mayWrite()) {
      return false;
    }
    restartedAt = step.now();
    // The kubelet notices the manifest of a new revision by itself.
    if (old.isPresent() || !node.isStaticPod()) {
      witness.onRestart(node.disk().config());
      node.start(step.now(), step.clock());
      hasStarted = true;
    }
    return true;
  }
}
