package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.SecretObject;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.core.rollout.RevisionNumber;
import io.keyward.operator.ManifestNeed;
import io.keyward.operator.ManifestRule;
import io.keyward.operator.RevisionKeeper;
import io.keyward.operator.RolloutDecision;
import io.keyward.operator.RolloutView;
import io.keyward.operator.RolloutView.Manifest;
import java.util.List;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;

/// The revisions of one API server, and the nodes and pods on their way to them.
final class RevisionWriter {
  private static final String OF = "keyward.io/revision-of";
  private static final String READY = "operator.openshift.io/revision-ready";
  private static final String SCHEME = "unix://";

  private final Api api;
  private final Component component;
  private final StatusWriter status;
  private final RevisionParts parts;
  private final SortedSet<String> nodes;

  RevisionWriter(
      Api api,
      Component component,
      StatusWriter status,
      RevisionParts parts,
      SortedSet<String> nodes) {
    this.api = api;
    this.component = component;
    this.status = status;
    this.parts = parts;
    this.nodes = nodes;
  }

  RolloutView view(Optional<ObjectNode> published) {
    JsonNode now = status.now();
    long latest = now.path("latestAvailableRevision").asLong(0);
    return new RolloutView(
        // No node gets what cannot be read.
        published
            .filter(one -> RolloutReader.layout(one).isPresent())
            .map(one -> RevisionParts.content(one, parts.pod())),
        manifest(published),
        latest,
        parts.newest().map(one -> RevisionParts.content(one, parts.newestPod())),
        component.isOnNodes() ? StatusReader.nodes(now, nodes, parts.silent()) : List.of(),
        parts.deployment().map(one -> one.view(latest, sockets(parts.newest()))),
        component.isOnNodes() ? StatusReader.left(now, nodes) : List.of());
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
        prune(number, published);
      }
      case RolloutDecision.Advance(var node, long number) ->
          status.target(node, number, view(published).nodes());
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
    ObjectNode begun = named("ConfigMap", component.revisionStatus(number));
    begun.withObject("/metadata").putObject("annotations").put(READY, "false");
    begun.putObject("data").put("revision", Long.toString(number));
    ObjectNode owner = put(component.configMaps(), begun);
    ObjectNode secret = owned("Secret", component.revision(number), owner);
    secret.put("type", SecretObject.TYPE).set("data", source.path("data"));
    ObjectNode config = put(component.secrets(), secret);
    parts
        .pod()
        .ifPresent(pod -> {
          ObjectNode copy = owned("ConfigMap", component.podRevision(number), owner);
          copy.set("data", pod.path("data"));
          // What was stored is what nodes will run, so it is what must belong together.
          ObjectNode stored = put(component.configMaps(), copy);
          List<ManifestNeed> needs = needs(stored, Optional.of(config));
          if (!needs.isEmpty()) {
            throw new ClusterFailure(
                "revision " + number + " is not taken: its manifest lacks " + needs, 0);
          }
        });
    ObjectNode ready = owner.deepCopy();
    ready.withObject("/metadata").withObject("annotations").put(READY, "true");
    api.replace(component.configMaps() + "/" + component.revisionStatus(number), ready);
    status.latest(number);
  }

  private ObjectNode named(String kind, String name) {
    ObjectNode json = Api.JSON.createObjectNode().put("apiVersion", "v1").put("kind", kind);
    json.putObject("metadata").put("name", name).putObject("labels").put(OF, component.name());
    return json;
  }

  private ObjectNode owned(String kind, String name, JsonNode owner) {
    ObjectNode json = named(kind, name);
    json.withObject("/metadata")
        .putArray("ownerReferences")
        .addObject()
        .put("apiVersion", "v1")
        .put("kind", "ConfigMap")
        .put("name", owner.at("/metadata/name").asText())
        .put("uid", owner.at("/metadata/uid").asText());
    return json;
  }

  /// Over what a crash left under this name, which no node was told to run yet.
  private ObjectNode put(String all, ObjectNode wanted) {
    String path = all + "/" + wanted.at("/metadata/name").asText();
    var left = api.get(path);
    if (left.isEmpty()) {
      return api.create(all, wanted);
    }
    wanted.withObject("/metadata").put("resourceVersion", KubeLook.version(left.orElseThrow()));
    return api.replace(path, wanted);
  }

  /// What a crash leaves here goes with the next revision.
  private void prune(long latest, Optional<ObjectNode> published) {
    var existing = new TreeSet<Long>();
    for (ObjectNode one : api.list(component.secrets(), OF, component.name())) {
      RevisionNumber.after(Component.REVISION_PREFIX, one.at("/metadata/name").asText(""))
          .ifPresent(existing::add);
    }
    for (long old : RevisionKeeper.needless(existing, latest, view(published).instances())) {
      remove(component.configMaps() + "/" + component.podRevision(old));
      remove(component.configMaps() + "/" + component.revisionStatus(old));
      // Last: by it the next round would find what is left.
      remove(component.secrets() + "/" + component.revision(old));
    }
  }

  private void remove(String path) {
    api.get(path).ifPresent(found -> api.delete(path, found));
  }
}
