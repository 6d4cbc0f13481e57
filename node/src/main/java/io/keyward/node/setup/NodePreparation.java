package io.keyward.node.setup;

import io.keyward.codec.status.OperatorStatus;
import io.keyward.core.rollout.node.JoinDecider;
import io.keyward.core.rollout.node.JoinDecision;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterAccess;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.node.cluster.RevisionSource;
import io.keyward.node.host.HostKind;
import io.keyward.node.host.KubeadmHost;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;
import java.util.TreeSet;

/// Writes the encryption configuration to a machine that is about to become a control-plane node.
/// The API server that kubeadm starts there needs it before the kubelet can start a node agent.
public final class NodePreparation {
  private final HostKind.Kubeadm place;
  private final List<Component> components;
  private final ClusterAccess access;

  public NodePreparation(HostKind.Kubeadm place, List<Component> components, ClusterAccess access) {
    this.place = place;
    this.components = List.copyOf(components);
    this.access = access;
  }

  /// Writes the files, or none if there is no encryption configuration yet.
  ///
  /// @return the revision that was written; empty where none is needed
  /// @throws ClusterFailure if a rollout is in progress, or the machine has another configuration
  public Optional<Long> run() {
    Component component =
        components.stream()
            .filter(one -> one.workload() == Workload.KUBEADM)
            .findFirst()
            .orElseThrow(() ->
                new ClusterFailure(
                    "this cluster was not installed with the workload kubeadm; nothing was"
                        + " written"));
    try (var api = Api.connect(access, Optional.empty())) {
      return switch (decide(api, component)) {
        case JoinDecision.NothingToWrite() -> Optional.empty();
        case JoinDecision.Wait(String words) -> throw new ClusterFailure(words);
        case JoinDecision.Write(long revision) -> {
          new KubeadmHost(place)
              .prepare(revision, new RevisionSource(api, component).read(revision).config());
          yield Optional.of(revision);
        }
      };
    }
  }

  private static JoinDecision decide(Api api, Component component) {
    OperatorStatus status =
        component
            .status()
            .read(
                api.get(component.operatorPath())
                    .orElseThrow(
                        () -> new ClusterFailure(component.operatorPath() + " does not exist")));
    var names = new TreeSet<String>();
    status.nodes().forEach(node -> names.add(node.name()));
    return JoinDecider.decide(status.latest(), status.revisions(names, new TreeMap<>()));
  }
}
