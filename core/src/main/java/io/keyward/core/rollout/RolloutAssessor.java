package io.keyward.core.rollout;

import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.rollout.Rollout;
import io.keyward.core.model.rollout.Rollout.Converged;
import io.keyward.core.model.rollout.Rollout.Rolling;
import io.keyward.core.rollout.Agreement.Agreed;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.function.LongFunction;
import java.util.stream.Collectors;

/// From pods to a common revision. Nothing here is an error: whatever is odd is waited for, in
/// words, because a pod in an unknown phase often comes back and must not degrade everything.
public final class RolloutAssessor {
  private RolloutAssessor() {}

  public static Agreement assess(SortedSet<String> expectedNodes, List<Pod> pods) {
    if (expectedNodes.isEmpty()) {
      return rolling("no node is known to run the API server");
    }
    if (pods.isEmpty()) {
      return rolling("no API server pod exists");
    }
    var unsettled = pods.stream().filter(RolloutAssessor::isUnsettled).findFirst();
    if (unsettled.isPresent()) {
      return new Agreement.Rolling(
          "pod " + unsettled.orElseThrow().name() + " is not ready",
          alike(expectedNodes, pods),
          false);
    }
    List<Pod> good = pods.stream().filter(pod -> pod.phase() == Pod.Phase.RUNNING).toList();
    return common(expectedNodes, good)
        .orElseGet(() ->
            judge(good, pods.stream().filter(pod -> pod.phase() != Pod.Phase.RUNNING).toList()));
  }

  /// The same where the newest revision is known. One that exists and runs nowhere yet may be taken
  /// up at any moment, so nothing is decided before it has arrived.
  public static Agreement assess(SortedSet<String> expectedNodes, List<Pod> pods, long newest) {
    return switch (assess(expectedNodes, pods)) {
      case Agreed(long revision, _) when revision < newest ->
          rolling("revision " + newest + " has reached no node yet");
      case Agreed agreed -> agreed;
      case Agreement.Rolling rolling -> rolling;
      case Agreement.Stuck stuck -> stuck;
      case Agreement.Unknown unknown -> unknown;
    };
  }

  /// The same where nodes say what hinders them. It changes no verdict, but what is waited for: the
  /// hindrance, and what to do about it. Two things change it: nothing is agreed on without a node
  /// that left and may still write, nor while a node runs what the cluster does not know.
  public static Agreement assess(
      SortedSet<String> expectedNodes,
      List<Pod> pods,
      long newest,
      List<RolloutBlocker> hindrances) {
    Optional<RolloutBlocker> left =
        hindrances.stream()
            // Where no node is known, none has left.
            .filter(one -> one instanceof RolloutBlocker.Left && !expectedNodes.isEmpty())
            .findFirst();
    List<RolloutBlocker> hindering =
        hindrances.stream()
            .filter(one -> expectedNodes.contains(one.node()) && one.hinders(newest))
            .toList();
    // Whoever else is waited for: a revision that one node cannot run fails.
    boolean failing = hindering.stream().anyMatch(RolloutBlocker.Failed.class::isInstance);
    Optional<Agreement> unknown = unknown(hindering);
    if (unknown.isPresent()) {
      return unknown.orElseThrow();
    }
    return switch (assess(expectedNodes, pods, newest)) {
      case Agreement.Unknown one -> one;
      case Agreement.Stuck stuck -> stuck;
      case Agreement.Rolling _, Agreed _ when left.isPresent() ->
          new Agreement.Rolling(left.orElseThrow().sentence(), OptionalLong.empty(), failing);
      case Agreement.Rolling rolling ->
          hindering.stream()
              .findFirst()
              .<Agreement>map(
                  one -> new Agreement.Rolling(one.sentence(), rolling.revision(), failing))
              .orElse(rolling);
      case Agreed agreed -> agreed;
    };
  }

  /// The first instance that runs what the cluster does not know.
  public static Optional<Agreement> unknown(List<? extends RolloutBlocker> hindrances) {
    return hindrances.stream()
        .filter(RolloutBlocker.Unknown.class::isInstance)
        .map(RolloutBlocker.Unknown.class::cast)
        .findFirst()
        .map(one -> new Agreement.Unknown(one.blocker(), one.sentence()));
  }

  private static Agreement rolling(String waitingFor) {
    return new Agreement.Rolling(waitingFor, OptionalLong.empty(), false);
  }

  /// The revision on every node, with no regard to readiness.
  private static OptionalLong alike(SortedSet<String> expectedNodes, List<Pod> pods) {
    var nodes = pods.stream().map(Pod::node).collect(Collectors.toSet());
    var revisions = pods.stream().map(Pod::revision).distinct().toList();
    return revisions.size() == 1 && nodes.containsAll(expectedNodes)
        ? number(revisions.getFirst())
        : OptionalLong.empty();
  }

  private static boolean isUnsettled(Pod pod) {
    return switch (pod.phase()) {
      case RUNNING -> !pod.ready();
      case PENDING, UNKNOWN -> true;
      case SUCCEEDED, FAILED -> false;
    };
  }

  /// Why there is no common revision on all nodes, or nothing.
  private static Optional<Agreement> common(SortedSet<String> expectedNodes, List<Pod> good) {
    var missing = new TreeSet<>(expectedNodes);
    good.forEach(pod -> missing.remove(pod.node()));
    if (!missing.isEmpty()) {
      return Optional.of(rolling("no ready pod on node " + missing.first()));
    }
    var revisions = new TreeSet<String>();
    good.forEach(pod -> revisions.add(pod.revision()));
    return revisions.size() == 1
        ? Optional.empty()
        : Optional.of(rolling("pods run different revisions: " + revisions));
  }

  private static Agreement judge(List<Pod> good, Collection<Pod> ended) {
    OptionalLong revision = number(good.getFirst().revision());
    if (revision.isEmpty()) {
      return new Agreement.Stuck(
          "the API server pods run no revision of Keyward: " + good.getFirst().revision());
    }
    for (Pod pod : ended) {
      // A dead node leaves old pods behind; a newer one means that the next revision fails.
      if (!pod.revision().isEmpty()
          && number(pod.revision()).orElse(Long.MAX_VALUE) > revision.getAsLong()) {
        return new Agreement.Stuck(
            "pod " + pod.name() + " of a newer revision failed; it must be fixed or replaced");
      }
    }
    return new Agreed(revision.getAsLong(), witness(good));
  }

  private static String witness(List<Pod> good) {
    return good.stream()
        .sorted(Comparator.comparing(Pod::name))
        .map(pod -> pod.name() + "/" + pod.revision() + "@" + pod.startedAt().getEpochSecond())
        .collect(Collectors.joining(","));
  }

  private static OptionalLong number(String revision) {
    return revision.isEmpty() ? OptionalLong.of(0) : RevisionNumber.parse(revision);
  }

  /// What instances run, from what they agree on.
  ///
  /// @param layouts the configuration of a revision; empty where it has none
  public static Rollout rollout(
      Agreement agreement,
      long newest,
      LongFunction<Optional<EncryptionLayout>> layouts,
      SortedSet<String> nodes) {
    return switch (agreement) {
      case Agreed(long revision, var witness) ->
          new Converged(revision, layouts.apply(revision), witness, nodes);
      case Agreement.Rolling(var waitingFor, var all, boolean failing) ->
          new Rolling(
              waitingFor,
              all.isPresent() && all.getAsLong() == newest
                  ? layouts.apply(newest)
                  : Optional.empty(),
              failing);
      case Agreement.Stuck(var problem) -> new Rollout.Stuck(problem);
      case Agreement.Unknown(var blocker, var problem) -> new Rollout.Unknown(blocker, problem);
    };
  }

  /// One answer for API servers that share a configuration. No configuration equals no
  /// configuration, which is the state right before encryption is first turned on.
  public static Rollout union(List<Rollout> parts) {
    if (parts.isEmpty()) {
      return new Rolling("no API server is known");
    }
    Optional<Rollout> unknown =
        parts.stream().filter(Rollout.Unknown.class::isInstance).findFirst();
    if (unknown.isPresent()) {
      return unknown.orElseThrow();
    }
    boolean failing =
        parts.stream().anyMatch(part -> part instanceof Rolling rolling && rolling.failing());
    for (Rollout part : parts) {
      if (part instanceof Rolling(var waitingFor, var running, _)) {
        return new Rolling(waitingFor, running, failing);
      }
      if (!(part instanceof Converged)) {
        return part;
      }
    }
    var all = parts.stream().map(Converged.class::cast).toList();
    Converged first = all.getFirst();
    if (!all.stream().allMatch(part -> runSame(first.layout(), part.layout()))) {
      return new Rolling("API servers that share a configuration run different ones");
    }
    var nodes = new TreeSet<String>();
    all.forEach(part -> nodes.addAll(part.nodes()));
    String witness = all.stream().map(Converged::witness).collect(Collectors.joining(";"));
    return new Converged(first.revision(), first.layout(), witness, nodes);
  }

  private static boolean runSame(Optional<EncryptionLayout> one, Optional<EncryptionLayout> other) {
    return one.orElse(EncryptionLayout.EMPTY)
        .hasSameProviders(other.orElse(EncryptionLayout.EMPTY));
  }
}
