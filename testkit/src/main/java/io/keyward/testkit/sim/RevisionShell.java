package io.keyward.testkit.sim;

import io.keyward.core.act.Act;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.rollout.RemovedNode;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;

/// The writes that make revisions, and that send nodes to them.
///
/// A revision has parts, and a crash may leave some of them. Only the last write announces it.
final class RevisionShell {
  private final World world;
  private final Server server;

  RevisionShell(World world, Server server) {
    this.world = world;
    this.server = server;
  }

  private boolean heeds(Precondition precondition) {
    return world.brain.heeds(precondition.name());
  }

  List<Write> writes(Act.OnRevisions act) {
    return switch (act) {
      case Act.CreateRevision(long number) -> create((int) number);
      case Act.SetTarget(var node, long revision) ->
          List.of(read -> advance(node, (int) revision, read));
      case Act.AskNodes(var nodes) -> {
        Instant now = world.instant();
        yield List.of(read -> onRemoved(read, () -> ask(nodes, now)));
      }
      case Act.DropNodes(var nodes) -> List.of(read -> onRemoved(read, () -> drop(nodes)));
      case Act.UpdateDeployment(_, long revision) -> List.of(read -> deploy((int) revision, read));
      case Act.CompleteManifest _ -> List.of();
    };
  }

  /// Of the configuration as it was read or written in this turn.
  private List<Write> create(int number) {
    var revision = new Begun(number);
    return List.of(
        _ -> revision.begin(),
        revision::fill,
        _ -> revision.finish(),
        read -> announce(revision, read));
  }

  private final class Begun {
    private final int number;
    private int owner;
    private @Nullable EncryptionLayout layout;

    Begun(int number) {
      this.number = number;
    }

    /// What a crash left of a revision that was never complete is written over.
    boolean begin() {
      boolean exists = server.revisions.containsKey(number) || server.taken.contains((long) number);
      if (exists && heeds(Precondition.REVISION_IS_NEW)) {
        return false;
      }
      owner = server.stamp();
      server.unfinished = new Server.Unfinished(number, owner, null);
      return true;
    }

    private boolean isMine() {
      Server.Unfinished now = server.unfinished;
      return (now != null && now.number() == number && now.owner() == owner)
          || !heeds(Precondition.REVISION_OWNER);
    }

    boolean fill(OperatorReading read) {
      if (!isMine()) {
        return false;
      }
      layout = read.published;
      server.unfinished = new Server.Unfinished(number, owner, layout);
      return true;
    }

    boolean finish() {
      Server.Unfinished now = server.unfinished;
      if (!isMine() || now == null) {
        return false;
      }
      server.invariants.onRevision(number);
      layout = now.layout();
      server.unfinished = null;
      server.taken.add((long) number);
      return true;
    }
  }

  private boolean announce(Begun revision, OperatorReading read) {
    if (server.statusVersion != read.statusVersion && heeds(Precondition.STATUS_VERSION)) {
      return false;
    }
    if (server.publishedVersion != read.publishedVersion && heeds(Precondition.REVISION_CONFIG)) {
      return false;
    }
    if (!server.taken.remove((long) revision.number)) {
      return false;
    }
    server.invariants.onRevision(revision.number);
    server.revisions.put(
        revision.number, new Server.Revision(revision.layout, false, read.publishedVersion));
    changeStatus(read);
    return true;
  }

  private boolean onRemoved(OperatorReading read, Runnable change) {
    if (server.statusVersion != read.statusVersion && heeds(Precondition.STATUS_VERSION)) {
      return false;
    }
    change.run();
    changeStatus(read);
    return true;
  }

  private void ask(List<RemovedNode> nodes, Instant now) {
    for (RemovedNode node : nodes) {
      listed(node.node()).ifPresent(one -> one.ask(node, now));
    }
  }

  private void drop(List<String> nodes) {
    nodes.forEach(node -> listed(node).ifPresent(RemovedInstance::forget));
  }

  private Optional<RemovedInstance> listed(String node) {
    return server.removed.stream()
        .filter(one -> one.isListed() && one.instance.node.equals(node))
        .findFirst();
  }

  private void changeStatus(OperatorReading read) {
    server.statusVersion = server.stamp();
    read.statusVersion = server.statusVersion;
  }

  private boolean deploy(int revision, OperatorReading read) {
    PodSet pods = server.pods;
    PodSet.Seen before = read.deployment;
    if (pods == null
        || before == null
        || (pods.version() != before.version() && heeds(Precondition.DEPLOYMENT_VERSION))) {
      return false;
    }
    server.invariants.onDeploy(pods, revision);
    pods.write(new PodView(server, pods).patch(before.template(), revision));
    read.deployment = pods.seen();
    return true;
  }

  private boolean advance(String node, int revision, OperatorReading read) {
    if (server.statusVersion != read.statusVersion && heeds(Precondition.STATUS_VERSION)) {
      return false;
    }
    for (Instance instance : server.instances) {
      if (instance.node.equals(node)) {
        server.invariants.onTarget(instance);
        instance.target = revision;
        changeStatus(read);
      }
    }
    return true;
  }
}
