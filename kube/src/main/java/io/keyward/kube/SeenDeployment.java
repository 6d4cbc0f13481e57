package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.ManifestNeed;
import io.keyward.core.model.Revisions;
import io.keyward.core.model.Revisions.Node;
import io.keyward.core.rollout.KnownRevisions;
import io.keyward.core.rollout.KnownRevisions.Claim;
import io.keyward.core.rollout.Pod;
import io.keyward.core.rollout.RevisionNumber;
import io.keyward.core.rollout.RolloutBlocker;
import io.keyward.core.rollout.manifest.PodTemplate;
import io.keyward.core.rollout.manifest.TemplateRule;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;

/// A Deployment of an API server and its pods, as they were read.
final class SeenDeployment {
  private static final String VOLUME = "encryption-config";
  private static final Map<String, Pod.Phase> PHASES =
      Map.of(
          "Pending", Pod.Phase.PENDING,
          "Running", Pod.Phase.RUNNING,
          "Succeeded", Pod.Phase.SUCCEEDED,
          "Failed", Pod.Phase.FAILED);

  private final Component component;
  private final ObjectNode json;
  private final List<ObjectNode> pods;

  private SeenDeployment(Component component, ObjectNode json, List<ObjectNode> pods) {
    this.component = component;
    this.json = json;
    this.pods = pods;
  }

  /// Live: a pod that was missed could be one that cannot read yet.
  static Optional<SeenDeployment> read(Api api, Component component) {
    return component
        .deployment()
        .flatMap(name -> api.get(component.deploymentPath(name)))
        .map(found ->
            new SeenDeployment(
                component,
                found,
                api.list(component.pods() + "?labelSelector=" + selector(found))));
  }

  private static String selector(JsonNode deployment) {
    JsonNode selector = deployment.at("/spec/selector");
    if (selector.has("matchExpressions") || selector.path("matchLabels").isEmpty()) {
      throw new ClusterFailure(
          "the selector of Deployment "
              + deployment.at("/metadata/name").asText("")
              + " must consist of matchLabels",
          0);
    }
    return selector.path("matchLabels").properties().stream()
        .map(one -> one.getKey().replace("/", "%2F") + "%3D" + one.getValue().asText(""))
        .collect(Collectors.joining("%2C"));
  }

  String name() {
    return json.at("/metadata/name").asText();
  }

  int replicas() {
    return json.at("/spec/replicas").asInt(1);
  }

  /// Its controller gave up waiting for the pods of its template.
  boolean isFailing() {
    return has(json.at("/status/conditions"), "Progressing", "False");
  }

  /// The revision of pods that are yet to be started, as the text of the label.
  String templateRuns() {
    return runs(template());
  }

  /// Instances, for the question what all of them run. One that ends may still write.
  List<Pod> instances() {
    return pods.stream()
        .map(pod ->
            new Pod(
                name(pod),
                pod.at("/spec/nodeName").asText(""),
                phase(pod.at("/status/phase").asText("")),
                isReady(pod),
                runs(pod),
                StatusReader.time(pod.at("/status/startTime").asText("")).orElse(Instant.EPOCH)))
        .toList();
  }

  /// Pods that run what the cluster does not know, or a template that has a configuration of its
  /// own. What is in it cannot be read from here.
  ///
  /// @param known what there is of revisions, among them these
  List<RolloutBlocker> unknown(Function<Collection<Long>, KnownRevisions> known) {
    var all = new ArrayList<RolloutBlocker>();
    TemplateRule.existing(body().anyFlag(), body().label())
        .ifPresent(what -> all.add(new RolloutBlocker.Existing("Deployment", name(), what)));
    List<Claim> claims =
        instances().stream()
            .map(pod ->
                new Claim(
                    "pod",
                    pod.name(),
                    RevisionNumber.parse(pod.revision()).orElse(0),
                    Optional.empty()))
            .toList();
    KnownRevisions there = known.apply(claims.stream().map(Claim::revision).toList());
    claims.stream().flatMap(claim -> there.unknown(claim).stream()).forEach(all::add);
    return List.copyOf(all);
  }

  Revisions.Deployment view(long latest, Collection<String> sockets) {
    long target = RevisionNumber.parse(templateRuns()).orElse(0);
    return new Revisions.Deployment(
        name(),
        latest == 0 ? List.of() : needs(latest, sockets),
        replicas(),
        instances().stream()
            .filter(pod -> pod.phase() != Pod.Phase.FAILED && pod.phase() != Pod.Phase.SUCCEEDED)
            .map(pod ->
                new Node(
                    pod.name(),
                    RevisionNumber.parse(pod.revision()).orElse(0),
                    target,
                    0,
                    pod.ready()))
            .toList());
  }

  private List<ManifestNeed> needs(long revision, Collection<String> sockets) {
    return TemplateRule.needs(read(body()), revision, component.revision(revision), sockets);
  }

  /// The Deployment with a template that runs this revision. It carries the version that was seen.
  ObjectNode patch(long revision, Collection<String> sockets) {
    PodBody copy = body(template().deepCopy());
    for (ManifestNeed need : needs(revision, sockets)) {
      switch (need) {
        case ManifestNeed.Flag _ -> copy.setFlag(PodTemplate.CONFIG_FILE);
        case ManifestNeed.Label _ -> copy.setLabel(Long.toString(revision));
        case ManifestNeed.Resources _ ->
            copy.mount(VOLUME, PodTemplate.CONFIG_DIRECTORY, true)
                .putObject("secret")
                .put("secretName", component.revision(revision))
                .put("defaultMode", 0600);
        case ManifestNeed.Sockets(var directory) ->
            copy.mount(PodBody.socketVolume(directory), directory, false)
                .putObject("hostPath")
                .put("path", directory);
        // Whoever made it takes it away.
        case ManifestNeed.Obstacle _ -> {}
      }
    }
    ObjectNode patch = Api.JSON.createObjectNode();
    patch.putObject("metadata").put("resourceVersion", Versions.of(json));
    patch.putObject("spec").set("template", copy.json());
    return patch;
  }

  private ObjectNode template() {
    return json.withObject("/spec/template");
  }

  private PodBody body() {
    return body(template());
  }

  private PodBody body(ObjectNode template) {
    return PodBody.of(component.name(), template)
        .orElseThrow(
            () -> new ClusterFailure("Deployment " + name() + " has no container; give it one", 0));
  }

  private String runs(ObjectNode pod) {
    return TemplateRule.runs(read(body(pod)), Component.REVISION_PREFIX);
  }

  private static PodTemplate read(PodBody body) {
    var secrets = body.mounts("/secret/secretName");
    secrets.values().removeIf(String::isEmpty);
    return new PodTemplate(body.flag(), secrets, body.mounts("/hostPath/path"), body.label());
  }

  private static String name(JsonNode pod) {
    return pod.at("/metadata/name").asText("");
  }

  private static boolean isReady(JsonNode pod) {
    if (pod.path("metadata").has("deletionTimestamp")) {
      return false;
    }
    return has(pod.at("/status/conditions"), "Ready", "True");
  }

  private static boolean has(JsonNode conditions, String type, String status) {
    for (JsonNode condition : conditions) {
      if (condition.path("type").asText("").equals(type)) {
        return condition.path("status").asText("").equals(status);
      }
    }
    return false;
  }

  private static Pod.Phase phase(String word) {
    return PHASES.getOrDefault(word, Pod.Phase.UNKNOWN);
  }
}
