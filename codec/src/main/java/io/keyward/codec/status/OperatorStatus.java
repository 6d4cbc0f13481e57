package io.keyward.codec.status;

import io.keyward.codec.EncryptionStatus;
import io.keyward.core.model.Condition;
import io.keyward.core.model.rollout.RemovedNode;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.rollout.KnownRevisions;
import io.keyward.core.rollout.KnownRevisions.Claim;
import io.keyward.core.rollout.OneLine;
import io.keyward.core.rollout.Pod;
import io.keyward.core.rollout.RolloutBlocker;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;

/// The status of an operator resource, as far as encryption goes.
///
/// @param latest the newest revision
/// @param encryption reports on plugins and the preflight
public record OperatorStatus(
    long latest, List<NodeStatus> nodes, EncryptionStatus encryption, List<Condition> conditions) {
  private static final String NODE = "node";

  public OperatorStatus {
    nodes = List.copyOf(nodes);
    conditions = List.copyOf(conditions);
  }

  public Optional<NodeStatus> node(String name) {
    return nodes.stream().filter(one -> one.name().equals(name)).findFirst();
  }

  private List<NodeStatus> all(SortedSet<String> expected) {
    return expected.stream()
        .map(name -> node(name).orElseGet(() -> NodeStatus.unknown(name)))
        .toList();
  }

  /// The nodes on their way to revisions. A node that does not respond is not ready, whatever its
  /// agent reported last.
  ///
  /// @param silent nodes that do not respond, and since when
  public List<Revisions.Node> revisions(
      SortedSet<String> expected, SortedMap<String, String> silent) {
    return all(expected).stream()
        .map(one ->
            new Revisions.Node(
                one.name(),
                one.current(),
                one.target(),
                one.failure().map(failure -> failure.revision()).orElse(0L),
                one.ready() && !silent.containsKey(one.name()),
                // Anyone who may write a status may have written this.
                one.failure().map(failure -> OneLine.of(failure.why())).orElse(""),
                Optional.ofNullable(silent.get(one.name()))))
        .toList();
  }

  /// What keeps nodes from revisions, and removed nodes that still count.
  public List<RolloutBlocker> blockers(
      SortedSet<String> expected, SortedMap<String, String> silent, KnownRevisions known) {
    var all = new ArrayList<RolloutBlocker>();
    for (NodeStatus one : all(expected)) {
      one.existing()
          .ifPresent(what -> all.add(new RolloutBlocker.Existing(NODE, one.name(), what)));
    }
    claims(expected).forEach(claim -> known.unknown(claim).ifPresent(all::add));
    revisions(expected, silent).forEach(node -> RolloutBlocker.of(node).ifPresent(all::add));
    removed(expected).stream().map(RolloutBlocker::of).forEach(all::add);
    return List.copyOf(all);
  }

  /// What nodes run, and what is in their files. Of what runs only the number is known; the files
  /// can be compared.
  public List<Claim> claims(SortedSet<String> expected) {
    var claims = new ArrayList<Claim>();
    for (NodeStatus one : all(expected)) {
      claims.add(new Claim(NODE, one.name(), one.installed(), one.digest()));
      claims.add(new Claim(NODE, one.name(), one.current(), Optional.empty()));
    }
    return List.copyOf(claims);
  }

  /// Nodes that are in the status and not expected.
  public List<RemovedNode> removed(SortedSet<String> expected) {
    return nodes.stream()
        .filter(one -> !expected.contains(one.name()))
        .map(one -> new RemovedNode(one.name(), one.reports(), one.asked(), one.answered()))
        .toList();
  }

  /// Nodes in the place of pods: an agent reports on an API server what a pod would show.
  public List<Pod> pods(SortedSet<String> expected) {
    return all(expected).stream()
        .flatMap(one ->
            one.started().stream()
                .map(at ->
                    new Pod(
                        one.name(),
                        one.name(),
                        Pod.Phase.RUNNING,
                        one.ready(),
                        Long.toString(one.current()),
                        at)))
        .toList();
  }
}
