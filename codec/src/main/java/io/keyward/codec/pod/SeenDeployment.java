package io.keyward.codec.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.Times;
import io.keyward.codec.object.Labels;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.model.rollout.Revisions;
import io.keyward.core.model.rollout.Revisions.Node;
import io.keyward.core.rollout.DeploymentAssessor;
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
import java.util.TreeMap;
import java.util.function.Function;

/// A Deployment of an API server and its pods, as they were read.
public final class SeenDeployment {
  private static final String VOLUME = "encryption-config";
  private static final Map<String, Pod.Phase> PHASES =
      Map.of(
          "Pending", Pod.Phase.PENDING,
          "Running", Pod.Phase.RUNNING,
          "Succeeded", Pod.Phase.SUCCEEDED,
          "Failed", Pod.Phase.FAILED);

  private final String component;
  private final String revisions;
  private final ObjectNode json;
  private final List<ObjectNode> pods;

  /// A Deployment with its pods.
  ///
  /// @param component the API server, whose container bears its name
  /// @param revisions how the names of its revisions begin
  public SeenDeployment(
      String component, String revisions, ObjectNode json, List<ObjectNode> pods) {
    this.component = component;
    this.revisions = revisions;
    this.json = json;
    this.pods = pods;
  }

  /// Which pods are its own; a problem where it says so by more than labels.
  public static Decoded<Labels> selector(JsonNode deployment) {
    JsonNode selector = deployment.at("/spec/selector");
    if (selector.has("matchExpressions") || selector.path("matchLabels").isEmpty()) {
      return Decoded.bad(
          "the selector of Deployment " + ObjectMeta.name(deployment),
          "must consist of matchLabels");
    }
    var labels = new TreeMap<String, String>();
    selector
        .path("matchLabels")
        .properties()
        .forEach(one -> labels.put(one.getKey(), one.getValue().asText("")));
    return Decoded.good(new Labels(labels));
  }

  public String name() {
    return ObjectMeta.name(json);
  }

  public int replicas() {
    return json.at("/spec/replicas").asInt(1);
  }

  /// For the question what all its pods run.
  public DeploymentAssessor.Pods pods() {
    return new DeploymentAssessor.Pods(
        name(),
        templateRuns(),
        replicas(),
        has(json.at("/status/conditions"), "Progressing", "False"),
        instances());
  }

  private String templateRuns() {
    return runs(template());
  }

  /// Instances, for the question what all of them run. One that ends may still write.
  public List<Pod> instances() {
    return pods.stream()
        .map(pod ->
            new Pod(
                ObjectMeta.name(pod),
                pod.at("/spec/nodeName").asText(""),
                phase(pod.at("/status/phase").asText("")),
                isReady(pod),
                runs(pod),
                Times.parse(pod.at("/status/startTime").asText("")).orElse(Instant.EPOCH)))
        .toList();
  }

  /// Pods that run what the cluster does not know, or a template that has a configuration of its
  /// own. What is in it cannot be read from here.
  ///
  /// @param known what there is of revisions, among them these
  public List<RolloutBlocker> unknown(Function<Collection<Long>, KnownRevisions> known) {
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

  public Revisions.Deployment view(long latest, Collection<String> sockets) {
    long target = RevisionNumber.parse(templateRuns()).orElse(0);
    return new Revisions.Deployment(
        name(),
        latest == 0 ? List.of() : needs(latest, sockets),
        replicas(),
        instances().stream()
            .filter(pod -> !pod.phase().isOver())
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
    return TemplateRule.needs(read(body()), revision, revisions + revision, sockets);
  }

  /// The Deployment with a template that runs this revision. It carries the version that was seen.
  public ObjectNode patch(long revision, Collection<String> sockets) {
    PodBody copy = body(template().deepCopy());
    for (ManifestNeed need : needs(revision, sockets)) {
      switch (need) {
        case ManifestNeed.Flag _ -> copy.setFlag(PodTemplate.CONFIG_FILE);
        case ManifestNeed.Label _ -> copy.setLabel(Long.toString(revision));
        case ManifestNeed.Resources _ ->
            copy.mount(VOLUME, PodTemplate.CONFIG_DIRECTORY, true)
                .putObject("secret")
                .put("secretName", revisions + revision)
                .put("defaultMode", 0600);
        case ManifestNeed.Sockets(var directory) ->
            copy.mount(PodBody.socketVolume(directory), directory, false)
                .putObject("hostPath")
                .put("path", directory);
        // Keyward runs no plugins in Deployments yet. Only its owner removes an obstacle.
        case ManifestNeed.Plugins _, ManifestNeed.Obstacle _ -> {}
      }
    }
    ObjectNode patch = JsonNodeFactory.instance.objectNode();
    patch.putObject("metadata").put("resourceVersion", ObjectMeta.version(json));
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
    return PodBody.of(component, template)
        .orElseThrow(
            () -> new IllegalStateException("the API server accepts no pod without a container"));
  }

  private String runs(ObjectNode pod) {
    return TemplateRule.runs(read(body(pod)), revisions);
  }

  private static PodTemplate read(PodBody body) {
    var secrets = body.mounts("/secret/secretName");
    secrets.values().removeIf(String::isEmpty);
    return new PodTemplate(body.anyFlag(), secrets, body.mounts("/hostPath/path"), body.label());
  }

  private static boolean isReady(JsonNode pod) {
    if (ObjectMeta.isDeleted(pod)) {
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
