package io.keyward.core.rollout;

import io.keyward.core.rollout.Agreement.Agreed;
import java.util.List;
import java.util.OptionalLong;
import java.util.TreeSet;

/// From the pods of a Deployment to a common revision. The nodes of its pods are the nodes it has.
public final class DeploymentAssessor {
  private DeploymentAssessor() {}

  /// A Deployment with its pods.
  ///
  /// @param template the revision of pods that are yet to be started, as the text of the label
  /// @param failing its controller gave up waiting for the pods of its template
  public record Pods(
      String name, String template, int replicas, boolean failing, List<Pod> instances) {
    public Pods {
      instances = List.copyOf(instances);
    }

    private long ready() {
      return instances.stream().filter(Pod::ready).count();
    }
  }

  /// Pods that are yet to be started count as well: they run what the template says. Pods that
  /// ended do not: the controller has replaced them, and may keep them for days.
  public static Agreement assess(Pods pods, long newest) {
    List<Pod> living = pods.instances().stream().filter(pod -> !pod.phase().isOver()).toList();
    var hosts = new TreeSet<String>();
    living.stream().map(Pod::node).filter(node -> !node.isEmpty()).forEach(hosts::add);
    return switch (RolloutAssessor.assess(hosts, living)) {
      case Agreed(long revision, _) when revision < newest ->
          new Agreement.Rolling(noPodYet(pods, newest), OptionalLong.empty(), pods.failing());
      case Agreed(long revision, _)
          when !pods.template().equals(revision == 0 ? "" : Long.toString(revision)) ->
          rolling("Deployment " + pods.name() + " starts other pods than those that run");
      case Agreed _ when pods.ready() < pods.replicas() ->
          // A quota may keep the pod away. An admin must be able to go back then, too.
          new Agreement.Rolling(
              "Deployment "
                  + pods.name()
                  + " has "
                  + pods.ready()
                  + " of "
                  + pods.replicas()
                  + " pods",
              OptionalLong.empty(),
              pods.failing());
      case Agreed agreed -> agreed;
      case Agreement.Rolling(var waitingFor, var all, _) ->
          new Agreement.Rolling(waitingFor, all, pods.failing());
      case Agreement.Stuck stuck -> stuck;
      case Agreement.Unknown unknown -> unknown;
    };
  }

  private static String noPodYet(Pods pods, long newest) {
    String waits =
        "Deployment " + pods.name() + " has started no pod with revision " + newest + " yet";
    return pods.failing() ? waits + "; its controller gave up, its status shows why" : waits;
  }

  private static Agreement rolling(String waitingFor) {
    return new Agreement.Rolling(waitingFor, OptionalLong.empty(), false);
  }
}
