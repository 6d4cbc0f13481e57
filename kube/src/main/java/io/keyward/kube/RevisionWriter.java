package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.SecretObject;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.model.ObservedState;
import io.keyward.core.rollout.KnownRevisions;
import io.keyward.operator.Departures;
import io.keyward.operator.ManifestNeed;
import io.keyward.operator.ManifestRule;
import io.keyward.operator.RolloutDecision;
import io.keyward.operator.RolloutView;
import io.keyward.operator.RolloutView.Deployment;
import io.keyward.operator.RolloutView.Manifest;
import io.keyward.operator.RolloutView.Node;
import io.keyward.operator.Surroundings;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.stream.Stream;

/// The revisions of one API server, and the nodes and pods on their way to them.
final class RevisionWriter {
  private static final String SCHEME = "unix://";

  private final Api api;
  private final Component component;
  private final StatusWriter status;
  private final RevisionParts parts;
  private final RevisionObjects objects;
  private final SortedSet<String> nodes;
  private final ObservedState state;

  RevisionWriter(
      Api api,
      Component component,
      StatusWriter status,
      RevisionParts parts,
      SortedSet<String> nodes,
      ObservedState state) {
    this.api = api;
    this.component = component;
    this.status = status;
    this.parts = parts;
    this.objects = new RevisionObjects(api, component);
    this.nodes = nodes;
    this.state = state;
  }

  RolloutView view(Optional<ObjectNode> published) {
    JsonNode now = status.now();
    long latest = now.path("latestAvailableRevision").asLong(0);
    List<Node> onNodes =
        component.isOnNodes() ? StatusReader.nodes(now, nodes, parts.silent()) : List.of();
    Optional<Deployment> deployed =
        parts.deployment().map(one -> one.view(latest, sockets(parts.newest())));
    return new RolloutView(
        // No node gets what cannot be read.
        published
            .filter(one -> RolloutReader.layout(one).isPresent())
            .map(one -> RevisionParts.content(one, parts.pod())),
        manifest(published),
        latest,
        parts.newest().map(one -> RevisionParts.content(one, parts.newestPod())),
        onNodes,
        deployed,
        new Departures(
            component.isOnNodes() ? StatusReader.left(now, nodes) : List.of(), state.at()),
        parts.taken(),
        Surroundings.of(
            state,
            published.flatMap(RolloutReader::layout),
            newest(latest, onNodes, deployed.map(Deployment::pods).orElse(List.of()))));
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

  private PodYaml pod(JsonNode configMap) {
    return PodYaml.parse(
        component.name(), configMap.path("data").path(Component.POD_KEY).asText(""));
  }

  private List<ManifestNeed> needs(JsonNode configMap, Optional<ObjectNode> published) {
    return ManifestRule.needs(pod(configMap).manifest(), sockets(published));
  }

  private static List<String> sockets(Optional<ObjectNode> published) {
    return published.flatMap(RolloutReader::layout).map(EncryptionLayout::keys).stream()
        .flatMap(List::stream)
        .flatMap(key -> key.kms().stream())
        .map(kms -> kms.endpoint().endpoint())
        .filter(endpoint -> endpoint.startsWith(SCHEME))
        .map(endpoint -> endpoint.substring(SCHEME.length()))
        .toList();
  }

  void carryOut(RolloutDecision decision, Optional<ObjectNode> published) {
    switch (decision) {
      case RolloutDecision.Complete(var needs) -> complete(needs);
      case RolloutDecision.Snapshot(long number) -> {
        snapshot(number, published.orElseThrow());
        objects.prune(
            number,
            view(published).instances(),
            StatusReader.claims(status.now(), nodes).stream()
                .map(KnownRevisions.Claim::revision)
                .toList());
      }
      case RolloutDecision.Advance(var node, long number) ->
          status.target(node, number, view(published).nodes());
      case RolloutDecision.Ask(var asked) -> status.ask(asked, state.at());
      case RolloutDecision.Forget(var gone) -> status.forgetNodes(gone);
      case RolloutDecision.Deploy(var name, long number) ->
          api.mergePatch(
              component.deploymentPath(name),
              parts.deployment().orElseThrow().patch(number, sockets(parts.newest())));
      case RolloutDecision.Refuse(var problem) -> throw new ClusterFailure(problem, 0);
      case RolloutDecision.Nothing _, RolloutDecision.Wait _ -> {}
    }
  }

  private void complete(List<ManifestNeed> needs) {
    ObjectNode changed = parts.pod().orElseThrow().deepCopy();
    changed.withObject("/data").put(Component.POD_KEY, pod(changed).with(needs).text());
    api.replace(component.configMaps() + "/" + component.podConfigMap(), changed);
  }

  /// Published by its number only when it is complete, so a crash leaves nothing half seen.
  private void snapshot(long number, ObjectNode source) {
    ObjectNode owner = objects.begin(number);
    ObjectNode secret = objects.part("Secret", component.revision(number), owner);
    secret.put("type", SecretObject.TYPE).set("data", source.path("data"));
    ObjectNode config = objects.put(component.secrets(), secret, owner);
    parts
        .pod()
        .ifPresent(pod -> {
          ObjectNode copy = objects.part("ConfigMap", component.podRevision(number), owner);
          copy.set("data", pod.path("data"));
          // What was stored is what nodes will run, so it is what must belong together.
          ObjectNode stored = objects.put(component.configMaps(), copy, owner);
          List<ManifestNeed> needs = needs(stored, Optional.of(config));
          if (!needs.isEmpty()) {
            throw new ClusterFailure(
                "revision " + number + " is not taken: its manifest lacks " + needs, 0);
          }
        });
    objects.finish(owner);
    status.latest(number);
  }
}
