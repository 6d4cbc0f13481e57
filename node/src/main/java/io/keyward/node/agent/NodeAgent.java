package io.keyward.node.agent;

import io.keyward.codec.status.NodeStatus;
import io.keyward.codec.status.OperatorStatus;
import io.keyward.core.rollout.node.NodeDecider;
import io.keyward.core.rollout.node.NodeDecision;
import io.keyward.core.rollout.node.NodeFailure;
import io.keyward.core.rollout.node.NodeView;
import io.keyward.core.rollout.node.NodeView.OnDisk;
import io.keyward.core.rollout.node.NodeView.RestartWait;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.node.cluster.FollowedStatus;
import io.keyward.node.cluster.RevisionSource;
import io.keyward.node.cluster.Stopwatch;
import io.keyward.node.host.CommandHost;
import io.keyward.node.host.ExistingEncryption;
import io.keyward.node.host.Hex;
import io.keyward.node.host.Host;
import io.keyward.node.host.HostKind;
import io.keyward.node.host.Installed;
import io.keyward.node.host.KubeadmHost;
import io.keyward.node.host.StaticPodHost;
import io.keyward.node.plugin.PluginObserver;
import io.keyward.node.plugin.PluginReporter;
import java.io.UncheckedIOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/// Carries revisions onto one node, one step at a time, and reports what the node runs.
///
/// Every step starts from what is on disk and what the API server says, so it may be killed and
/// started again at any moment. What is to be done is decided in [NodeDecider].
public final class NodeAgent {
  private static final Logger LOG = System.getLogger(NodeAgent.class.getName());
  private static final int FORBIDDEN = 403;

  /// The operator allows an agent to read a revision just before it becomes the target. Each API
  /// server learns of that a moment later.
  private static final Duration PERMISSION = Duration.ofSeconds(10);

  private final LocalServer server;
  private final NodeSettings settings;
  private final Host host;
  private final RevisionSource revisions;
  private final NodeReporter reporter;
  private final PluginReporter plugins;
  private final Stopwatch restarted;
  private final Stopwatch forbidden;
  private final FollowedStatus followed;
  private long arrived;
  private Optional<NodeFailure> failure = Optional.empty();
  private Optional<ExistingEncryption> existing = Optional.empty();

  /// An agent for one API server, by the clock of this process.
  public NodeAgent(
      Api cluster, Api local, Component component, NodeSettings settings, PluginObserver observer) {
    this(cluster, local, component, settings, observer, System::nanoTime);
  }

  /// An agent for one API server.
  ///
  /// @param cluster any API server of the cluster
  /// @param local the API server of this node
  /// @param observer is told how plugins answer
  /// @param nanos by which patience is measured
  NodeAgent(
      Api cluster,
      Api local,
      Component component,
      NodeSettings settings,
      PluginObserver observer,
      LongSupplier nanos) {
    this.restarted = new Stopwatch(nanos);
    this.forbidden = new Stopwatch(nanos);
    this.followed = new FollowedStatus(cluster, component, nanos);
    this.server = new LocalServer(local, nanos);
    this.settings = settings;
    this.revisions = new RevisionSource(cluster, component);
    this.host =
        switch (settings.place()) {
          case HostKind.Command command -> new CommandHost(command);
          case HostKind.StaticPod pod -> new StaticPodHost(component.name(), pod);
          case HostKind.Kubeadm kubeadm -> new KubeadmHost(kubeadm);
        };
    this.reporter = new NodeReporter(cluster, component, settings.node(), nanos);
    this.plugins =
        new PluginReporter(cluster, component, settings.node(), settings.timing(), host, observer);
  }

  /// Until interrupted.
  public void run() throws InterruptedException {
    Thread repairs = Thread.ofVirtual().name("repairs").start(new Repairs(host));
    Thread probes = Thread.ofVirtual().name("plugins").start(plugins);
    try {
      followed.run(this::step);
    } finally {
      repairs.interrupt();
      probes.interrupt();
    }
  }

  void step() throws InterruptedException {
    followed.step(this::step);
  }

  private void step(OperatorStatus seen, boolean anew) throws InterruptedException {
    if (!reporter.hasSpoken()) {
      // A disk that is new holds less than what was reported of the one before.
      Optional<NodeStatus> before = reporter.own(seen);
      arrived = Math.min(before.map(NodeStatus::current).orElse(0L), host.revision());
      // Perhaps an agent before this one reported it.
      failure = before.flatMap(NodeStatus::failure);
    }
    long before = arrived;
    existing = host.existing().filter(found -> !isRevision(found, seen));
    NodeView view = act(seen);
    reporter.report(
        seen,
        new NodeView.Server(
            NodeDecider.isReady(view), view.server().process(), view.server().loaded()),
        report());
    if (before != arrived) {
      plugins.hurry();
    }
    if (anew) {
      plugins.answerPreflight();
    }
    if (view.disk().revision() > 0 && NodeDecider.runs(view)) {
      plugins.follow(seen);
    } else {
      plugins.rest();
    }
  }

  /// An administrator may have copied the file of another node to a new one. Then nothing is lost.
  private boolean isRevision(ExistingEncryption found, OperatorStatus seen) {
    long newest = Math.max(target(seen), seen.latest());
    if (newest == 0 || found.digest().isEmpty()) {
      return false;
    }
    try {
      return revisions.digest(newest).equals(found.digest());
    } catch (ClusterFailure e) {
      if (e.getCause() != null || isForbiddenForNow(e)) {
        throw e;
      }
      return false;
    }
  }

  private boolean isForbiddenForNow(ClusterFailure failure) {
    if (failure.status() != FORBIDDEN) {
      return false;
    }
    if (!forbidden.runs()) {
      forbidden.start();
    }
    return !forbidden.isPast(PERMISSION);
  }

  private NodeReport report() {
    return new NodeReport(
        arrived, failure, existing.map(ExistingEncryption::words), Installed.of(host));
  }

  private long target(OperatorStatus seen) {
    return reporter.own(seen).map(NodeStatus::target).orElse(0L);
  }

  private NodeView act(OperatorStatus seen) throws InterruptedException {
    long wanted = target(seen);
    try {
      return act(wanted);
    } catch (UncheckedIOException e) {
      // Nothing can be decided about files that cannot be read. That must not be silent.
      long revision = Math.max(wanted, arrived);
      fail(new NodeFailure(revision, NodeFailure.Kind.NOT_READY, FailureWords.of(e)));
      reporter.report(seen, server.look(), report());
      throw e;
    }
  }

  /// What was known when the last decision was made.
  private NodeView act(long wanted) throws InterruptedException {
    NodeView view = view(wanted);
    NodeDecision decision = NodeDecider.decide(view);
    carryOut(decision, view);
    if (decision instanceof NodeDecision.Bring) {
      // Whether it could be brought or not: what is here now may have arrived.
      view = view(host.revision());
      carryOut(NodeDecider.decide(view), view);
    }
    return view;
  }

  private NodeView view(long wanted) {
    long revision = host.revision();
    // What is to be replaced need not be readable: that may be why.
    OnDisk disk =
        revision == 0 || wanted > revision
            ? OnDisk.unread(revision)
            : new OnDisk(
                revision,
                Hex.sha256(host.config()),
                host.isNewConfig(),
                host.writtenAt(),
                host.before(),
                host.isIntact());
    RestartWait wait =
        !restarted.runs()
            ? RestartWait.NONE
            : restarted.isPast(settings.patience()) ? RestartWait.EXPIRED : RestartWait.PENDING;
    return new NodeView(
        wanted,
        disk,
        server.look(),
        arrived,
        wait,
        failure,
        existing.map(ExistingEncryption::words));
  }

  private void carryOut(NodeDecision decision, NodeView view) throws InterruptedException {
    server.mayRest(decision instanceof NodeDecision.Arrived);
    switch (decision) {
      case NodeDecision.Bring(long revision) -> bring(revision);
      case NodeDecision.Restart _ -> restart(view.server());
      case NodeDecision.RestartAgain(var why) -> {
        fail(why);
        restart(view.server());
      }
      case NodeDecision.Arrived(long revision) -> {
        restarted.stop();
        arrived = revision;
        host.arrived();
        failure = failure.filter(one -> one.revision() > revision);
      }
      case NodeDecision.GiveUp(var why) -> fail(why);
      case NodeDecision.Wait _ -> {}
    }
  }

  private void bring(long revision) throws InterruptedException {
    try {
      RevisionSource.Parts parts = revisions.read(revision);
      forbidden.stop();
      host.write(revision, parts.config(), parts.manifest(), server.look().process());
    } catch (RuntimeException e) {
      if (e instanceof ClusterFailure said && (e.getCause() != null || isForbiddenForNow(said))) {
        // No answer: nobody can be told of it either. A permission comes soon.
        throw e;
      }
      fail(new NodeFailure(revision, NodeFailure.Kind.NOT_BROUGHT, FailureWords.of(e)));
      return;
    }
    LOG.log(Level.INFO, "revision " + revision + " is on this node");
    failure = Optional.empty();
    if (host.restartsItself()) {
      restarted.start();
    } else {
      restart(NodeView.Server.UNREACHABLE);
    }
  }

  /// @param old what must not run any more
  private void restart(NodeView.Server old) throws InterruptedException {
    old.process().ifPresent(host::remember);
    restarted.start();
    host.restart(settings.patience())
        .ifPresent(why -> fail(new NodeFailure(host.revision(), NodeFailure.Kind.NOT_READY, why)));
  }

  private void fail(NodeFailure what) {
    if (!failure.equals(Optional.of(what))) {
      LOG.log(Level.WARNING, "revision " + what.revision() + ": " + what.why());
    }
    failure = Optional.of(what);
  }
}
