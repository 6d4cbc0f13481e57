package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.ManifestNeed;
import io.keyward.core.model.Revisions;
import io.keyward.core.model.Revisions.Deployment;
import io.keyward.core.model.Revisions.Manifest;
import io.keyward.core.model.Revisions.Node;
import io.keyward.core.rollout.manifest.ManifestRule;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Reads the revisions of one API server, and the instances on their way to them.
final class RevisionReader {
  private static final String SCHEME = "unix://";

  private final Api api;
  private final Component component;
  private final RevisionParts parts;

  RevisionReader(Api api, Component component, RevisionParts parts) {
    this.api = api;
    this.component = component;
    this.parts = parts;
  }

  Revisions read(JsonNode status, SortedSet<String> nodes, Optional<ObjectNode> published) {
    long latest = status.path("latestAvailableRevision").asLong(0);
    List<Node> onNodes =
        component.isOnNodes() ? StatusReader.nodes(status, nodes, parts.silent()) : List.of();
    Optional<Deployment> deployed =
        parts.deployment().map(one -> one.view(latest, sockets(parts.newest())));
    return new Revisions(
        // No node gets a configuration that cannot be read.
        published
            .filter(one -> RolloutReader.layout(one).isPresent())
            .map(one -> RevisionParts.content(one, parts.pod())),
        manifest(published),
        latest,
        parts.newest().map(one -> RevisionParts.content(one, parts.newestPod())),
        onNodes,
        deployed,
        component.isOnNodes() ? StatusReader.left(status, nodes) : List.of(),
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
        .flatMap(number -> parts.secret(api, component, number).stream())
        .flatMap(secret -> RolloutReader.layout(secret).stream())
        .findFirst();
  }

  private Manifest manifest(Optional<ObjectNode> published) {
    if (component.deployment().isPresent() && parts.deployment().isEmpty()) {
      return new Manifest.Absent(
          "Deployment " + component.namespace() + "/" + component.deployment().orElseThrow());
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

  PodYaml pod(JsonNode configMap) {
    return PodYaml.parse(
        component.name(), configMap.path("data").path(Component.POD_KEY).asText(""));
  }

  List<ManifestNeed> needs(JsonNode configMap, Optional<ObjectNode> published) {
    return ManifestRule.needs(pod(configMap).manifest(), sockets(published));
  }

  static List<String> sockets(Optional<ObjectNode> published) {
    return published.flatMap(RolloutReader::layout).map(EncryptionLayout::keys).stream()
        .flatMap(List::stream)
        .flatMap(key -> key.kms().stream())
        .map(kms -> kms.endpoint().endpoint())
        .filter(endpoint -> endpoint.startsWith(SCHEME))
        .map(endpoint -> endpoint.substring(SCHEME.length()))
        .toList();
  }
}
