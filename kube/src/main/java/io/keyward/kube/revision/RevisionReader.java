package io.keyward.kube.revision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.pod.KubeadmYaml;
import io.keyward.codec.pod.PodYaml;
import io.keyward.codec.status.OperatorStatus;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Revisions.Deployment;
import io.keyward.core.model.rollout.Revisions.Manifest;
import io.keyward.core.model.rollout.Revisions.Node;
import io.keyward.core.rollout.manifest.ManifestRule;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Reads the revisions of one API server, and the instances on their way to them.
public final class RevisionReader {
  private static final String SCHEME = "unix://";

  private final Reads reads;
  private final Component component;
  private final RevisionParts parts;

  public RevisionReader(Reads reads, Component component, RevisionParts parts) {
    this.reads = reads;
    this.component = component;
    this.parts = parts;
  }

  public Revisions read(
      OperatorStatus status, SortedSet<String> nodes, Optional<ObjectNode> published) {
    long latest = status.latest();
    List<Node> onNodes =
        component.isOnNodes() ? status.revisions(nodes, parts.silent()) : List.of();
    Optional<Deployment> deployed =
        parts.deployment().map(one -> one.view(latest, sockets(component, parts.newest())));
    return new Revisions(
        // No node gets a configuration that cannot be read.
        published
            .filter(one -> RolloutReader.layout(one).isPresent())
            .map(one -> RevisionParts.content(parts.plugins().with(one), parts.pod())),
        manifest(published, onNodes),
        latest,
        parts.newest().map(one -> RevisionParts.content(one, parts.newestPod())),
        onNodes,
        deployed,
        component.isOnNodes() ? status.removed(nodes) : List.of(),
        parts.taken(),
        newest(latest, onNodes, deployed.map(Deployment::pods).orElse(List.of())));
  }

  /// Instances may be ahead of the status where that was lost.
  private Optional<EncryptionLayout> newest(long latest, List<Node> onNodes, List<Node> pods) {
    var numbers = new TreeSet<>(List.of(latest));
    for (Node one : Stream.concat(onNodes.stream(), pods.stream()).toList()) {
      numbers.addAll(List.of(one.current(), one.target()));
    }
    return numbers.descendingSet().stream()
        .flatMap(number -> parts.secret(reads, component, number).stream())
        .flatMap(secret -> RolloutReader.layout(secret).stream())
        .findFirst();
  }

  private Manifest manifest(Optional<ObjectNode> published, List<Node> onNodes) {
    if (component.deployment().isPresent() && parts.deployment().isEmpty()) {
      return new Manifest.Absent(
          "Deployment " + component.namespace() + "/" + component.deployment().orElseThrow());
    }
    if (component.workload() == Workload.KUBEADM) {
      Optional<String> problem = published.flatMap(one -> parts.plugins().problem(one));
      if (problem.isPresent()) {
        return new Manifest.Unusable(problem.orElseThrow());
      }
      return parts
          .kubeadm()
          .<Manifest>map(one ->
              new Manifest.Present(
                  ManifestRule.kubeadmConfigNeeds(
                      kubeadm(one).manifest(),
                      sockets(component, published),
                      onNodes.stream().map(Node::current).toList())))
          .orElseGet(() ->
              new Manifest.Absent("ConfigMap " + KubeadmYaml.NAMESPACE + "/" + KubeadmYaml.NAME));
    }
    if (component.workload() != Workload.STATIC_POD) {
      return new Manifest.Unused();
    }
    if (parts.pod().isEmpty()) {
      return new Manifest.Absent(
          "ConfigMap "
              + component.namespace()
              + "/"
              + component.podConfigMap()
              + " with the key "
              + Component.POD_KEY);
    }
    return new Manifest.Present(needs(parts.pod().orElseThrow(), published));
  }

  static KubeadmYaml kubeadm(JsonNode configMap) {
    return KubeadmYaml.parse(ObjectMeta.data(configMap, KubeadmYaml.KEY))
        .orElseThrow(ClusterFailure::new);
  }

  PodYaml pod(JsonNode configMap) {
    return PodYaml.parse(component.name(), ObjectMeta.data(configMap, Component.POD_KEY))
        .orElseThrow(ClusterFailure::new);
  }

  List<ManifestNeed> needs(JsonNode configMap, Optional<ObjectNode> published) {
    return ManifestRule.needs(pod(configMap).manifest(), sockets(component, published));
  }

  /// The sockets in directories of the node. Plugins that Keyward runs share theirs with the API
  /// server in its pod.
  static List<String> sockets(Component component, Optional<ObjectNode> published) {
    return published.flatMap(RolloutReader::layout).map(EncryptionLayout::keys).stream()
        .flatMap(List::stream)
        .flatMap(key -> key.kms().stream())
        .filter(kms -> component.workload() != Workload.KUBEADM || !kms.isManaged())
        .map(kms -> kms.endpoint().endpoint())
        .filter(endpoint -> endpoint.startsWith(SCHEME))
        .map(endpoint -> endpoint.substring(SCHEME.length()))
        .toList();
  }
}
