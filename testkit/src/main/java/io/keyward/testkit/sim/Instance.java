package io.keyward.testkit.sim;

import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.rollout.KnownRevisions.Claim;
import io.keyward.core.rollout.Pod;
import io.keyward.core.rollout.manifest.PodTemplate;
import io.keyward.core.rollout.node.NodeFailure;
import io.keyward.testkit.sim.node.SimulatedAgent;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// One API server process on one node, with its plugins and its monitor.
final class Instance {
  /// An API server may go on with its DEK seed this long after the plugin's key changed.
  private static final long SEED_LIVES = 240;

  final String node;

  /// What its process runs.
  int revision;

  Server.Revision runs;

  /// Whether that was there before Keyward, and is no revision.
  boolean isForeign;

  /// The revision that the operator set for it.
  int target;

  /// What its agent last reported.
  private Report reported;

  /// Its machine and its agent; absent where a platform rolls out.
  @Nullable NodeMachine machine;

  /// What its pod was made from; absent where it is no pod of a Deployment.
  @Nullable PodTemplate template;

  /// Whether its pod is deleted and has not stopped yet.
  boolean isEnding;

  boolean ready = true;
  boolean failed;

  /// By how much the number in its files exceeds its revision, as after a restore of etcd.
  int ahead;

  /// Whether its file differs from its revision.
  boolean edited;

  /// Whether the plugins that its user runs there are down.
  boolean pluginsDown;

  /// By how many seconds the clock of its node is wrong.
  long clockIsAhead;

  long startedAt;
  private final Map<Integer, Sight> plugins = new HashMap<>();

  /// What a plugin shows of its remote key, and under what the API server may still write.
  ///
  /// @param clockWasAhead by how many seconds the clock was wrong at the change
  private record Sight(KekId kek, long since, @Nullable KekId before, long clockWasAhead) {}

  /// What a node agent reports of its API server.
  ///
  /// @param current the newest revision that was ready
  private record Report(
      long current, boolean ready, Optional<NodeFailure> failure, long startedAt) {}

  Instance(String node, int revision, Server.Revision runs, long now) {
    this.node = node;
    this.revision = revision;
    this.runs = runs;
    this.target = revision;
    this.startedAt = now;
    this.reported = new Report(revision, true, Optional.empty(), now);
  }

  /// Its agent reports.
  void report(SimulatedAgent.Report report) {
    reported = new Report(report.current(), report.ready(), report.failure(), startedAt);
  }

  /// What its agent last reported, which is all that it knows after a restart.
  SimulatedAgent.Report reported() {
    return new SimulatedAgent.Report(reported.current(), reported.ready(), reported.failure());
  }

  Revisions.Node asNode() {
    return new Revisions.Node(
        node,
        reported.current(),
        target,
        reported.failure().map(NodeFailure::revision).orElse(0L),
        reported.ready(),
        reported.failure().map(NodeFailure::why).orElse(""),
        Optional.empty());
  }

  Pod asPod() {
    return new Pod(
        node,
        node,
        Pod.Phase.RUNNING,
        reported.ready(),
        Long.toString(reported.current()),
        Instant.ofEpochSecond(reported.startedAt()));
  }

  /// The process starts with other files.
  void restart(int onto, Server.Revision files, long now) {
    revision = onto;
    runs = files;
    isForeign = false;
    restart(now);
  }

  /// The process starts with the files that are there.
  void restart(long now) {
    startedAt = now;
    ready = false;
    failed = false;
    plugins.clear();
  }

  /// Whether its files hold what the cluster does not know. Without a revision there are none.
  boolean isUnknown() {
    return ahead != 0 || (edited && (machine == null ? revision : machine.installed()) > 0);
  }

  /// What its agent reports of its files.
  Claim claim() {
    return new Claim(
        "node",
        node,
        (machine == null ? revision : machine.installed()) + ahead,
        Optional.of(edited ? "edited" : ahead == 0 ? digest() : "another"));
  }

  private String digest() {
    return machine == null ? runs.digest() : machine.digest();
  }

  /// Does not get ready by itself any more.
  void fail() {
    ready = false;
    failed = true;
    if (machine != null) {
      machine.stop();
    }
  }

  /// The plugin asks the KMS.
  void look(int remoteKey, KekId kek, long now) {
    Sight old = plugins.get(remoteKey);
    if (old == null) {
      plugins.put(remoteKey, new Sight(kek, now, null, clockIsAhead));
    } else if (!old.kek.equals(kek)) {
      plugins.put(remoteKey, new Sight(kek, now, old.kek, clockIsAhead));
    }
  }

  void setClock(long ahead) {
    clockIsAhead = ahead;
  }

  /// When its plugin changed to the KEK that it shows; absent where it showed no other one since
  /// its process started.
  KekChanges.@Nullable Change change(int remoteKey) {
    Sight sight = plugins.get(remoteKey);
    return sight == null || sight.before == null
        ? null
        : new KekChanges.Change(
            sight.since, sight.clockWasAhead < 0 && clockIsAhead > sight.clockWasAhead);
  }

  boolean hasSeen(int remoteKey) {
    return plugins.containsKey(remoteKey);
  }

  /// The KEK of the DEK seed in use; `late` picks the older one where both are possible.
  KekId writesUnder(int remoteKey, KekId fallback, long now, boolean late) {
    Sight sight = plugins.get(remoteKey);
    if (sight == null) {
      return fallback;
    }
    return sight.before != null && late && now - sight.since < SEED_LIVES
        ? sight.before
        : sight.kek;
  }
}
