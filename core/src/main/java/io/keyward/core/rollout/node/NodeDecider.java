package io.keyward.core.rollout.node;

import io.keyward.core.rollout.node.NodeDecision.Arrived;
import io.keyward.core.rollout.node.NodeDecision.Bring;
import io.keyward.core.rollout.node.NodeDecision.GiveUp;
import io.keyward.core.rollout.node.NodeDecision.Restart;
import io.keyward.core.rollout.node.NodeDecision.RestartAgain;
import io.keyward.core.rollout.node.NodeDecision.Wait;
import io.keyward.core.rollout.node.NodeView.OnDisk;
import io.keyward.core.rollout.node.NodeView.RestartWait;
import java.time.Instant;
import java.util.Optional;

/// A revision has arrived when another process of the API server than the one that ran when the
/// files were written is ready with them. An API server that runs since before is started anew,
/// once, and again when the wait has expired.
public final class NodeDecider {
  private NodeDecider() {}

  public static NodeDecision decide(NodeView seen) {
    if (seen.wanted() > seen.disk().revision()) {
      return seen.existing()
          .<NodeDecision>map(what -> new GiveUp(refusal(seen.wanted(), what)))
          .orElseGet(() -> new Bring(seen.wanted()));
    }
    if (!seen.disk().isIntact()) {
      // Neither has it arrived, nor is the API server started with what somebody else put there.
      return new GiveUp(
          failure(seen, "the configuration file was changed after the node agent had written it"));
    }
    if (runs(seen)) {
      return seen.server().ready() ? new Arrived(seen.disk().revision()) : waitOrGiveUp(seen);
    }
    boolean isOld = seen.server().process().isPresent();
    return switch (seen.restartWait()) {
      case NONE -> isOld ? new Restart() : new Wait();
      case PENDING -> new Wait();
      case EXPIRED ->
          isOld
              ? new RestartAgain(failure(seen, "the API server still runs what was there before"))
              : waitOrGiveUp(seen);
    };
  }

  private static NodeDecision waitOrGiveUp(NodeView seen) {
    boolean isTold =
        seen.failure().filter(one -> one.revision() >= seen.disk().revision()).isPresent();
    return seen.restartWait() == RestartWait.EXPIRED && !isTold
        ? new GiveUp(
            failure(
                seen,
                seen.server().process().isEmpty()
                    ? "the API server does not respond; see its log"
                    : "the API server is not ready; see its log"))
        : new Wait();
  }

  /// Whether the API server is ready with the revision that was reported of it. It may have been
  /// restarted while its file was edited: when the file is restored, it still runs the edited one.
  public static boolean isReady(NodeView seen) {
    OnDisk disk = seen.disk();
    boolean isComparable =
        disk.isIntact() && seen.wanted() <= disk.revision() && seen.arrived() == disk.revision();
    return seen.server().ready() && (!isComparable || runs(seen));
  }

  /// The only copy of a key may be there.
  private static NodeFailure refusal(long revision, String what) {
    return new NodeFailure(
        revision,
        NodeFailure.Kind.NOT_BROUGHT,
        "the node has an encryption configuration that Keyward did not create: " + what);
  }

  private static NodeFailure failure(NodeView seen, String why) {
    return new NodeFailure(seen.disk().revision(), NodeFailure.Kind.NOT_READY, why);
  }

  /// Whether the API server was started for what lies on the disk.
  public static boolean runs(NodeView seen) {
    OnDisk disk = seen.disk();
    if (disk.revision() == 0) {
      return true;
    }
    Optional<ApiServerProcess> process = seen.server().process();
    Optional<String> loaded = seen.server().loaded();
    if (process.isEmpty() || loaded.filter(one -> !one.equals(disk.digest())).isPresent()) {
      return false;
    }
    // Whoever started after a process that had read it has read it too.
    if (seen.arrived() == disk.revision() || (loaded.isPresent() && disk.isNewConfig())) {
      return true;
    }
    return disk.before()
        .map(before -> !process.orElseThrow().isSameAs(before))
        .orElseGet(() -> isLater(process.orElseThrow(), disk.writtenAt(), loaded.isPresent()));
  }

  /// Nobody knows who ran when it was written, so clocks must tell.
  private static boolean isLater(ApiServerProcess process, Instant writtenAt, boolean isLoaded) {
    Instant start = process.startedAt();
    return (isLoaded ? start.plus(ApiServerProcess.BLUR) : start).isAfter(writtenAt);
  }
}
