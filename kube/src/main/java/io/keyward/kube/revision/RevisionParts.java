package io.keyward.kube.revision;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ContentDigest;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.pod.KubeadmYaml;
import io.keyward.codec.pod.SeenDeployment;
import io.keyward.core.rollout.KnownRevisions;
import io.keyward.core.sidecar.PluginImages;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Reads;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import java.util.Collection;
import java.util.Optional;
import java.util.SortedMap;
import java.util.SortedSet;
import java.util.TreeMap;

/// What revisions are made of, as it was seen: the manifest of now, and the newest revision. And
/// who may not get it now.
///
/// @param pod the ConfigMap with the manifest; absent where the workload needs none or it is
///   missing
/// @param kubeadm the ConfigMap with kubeadm's configuration; absent where the workload is another
///   one or it is missing
/// @param newest the secret of the newest revision
/// @param newestPod the manifest of the newest revision
/// @param deployment what gets the revisions by name; absent where there is none or it is missing
/// @param existing the secrets of all our revisions, by their numbers
/// @param taken numbers above the newest one that must not be used again
/// @param silent nodes that do not answer, since when
/// @param plugins plans the plugin containers of a configuration
public record RevisionParts(
    Optional<ObjectNode> pod,
    Optional<ObjectNode> kubeadm,
    Optional<ObjectNode> newest,
    Optional<ObjectNode> newestPod,
    Optional<SeenDeployment> deployment,
    SortedMap<Long, ObjectNode> existing,
    SortedSet<Long> taken,
    SortedMap<String, String> silent,
    RevisionPlugins plugins) {

  public static RevisionParts read(
      Reads reads,
      Component component,
      PluginImages images,
      long latest,
      SortedMap<String, String> silent) {
    var deployment = deployment(reads, component);
    var existing = RevisionObjects.existing(reads, component);
    var newest = secret(reads, component, existing, latest);
    var taken = RevisionObjects.taken(reads, component, existing.tailMap(latest + 1));
    boolean isStaticPod = component.workload() == Workload.STATIC_POD;
    return new RevisionParts(
        isStaticPod
            ? reads.get(component.configMaps() + "/" + component.podConfigMap())
            : Optional.empty(),
        component.workload() == Workload.KUBEADM ? reads.get(KubeadmYaml.PATH) : Optional.empty(),
        newest,
        isStaticPod && latest > 0
            ? reads.get(component.configMaps() + "/" + component.podRevision(latest))
            : Optional.empty(),
        deployment,
        existing,
        taken,
        silent,
        new RevisionPlugins(component, images));
  }

  private static Optional<SeenDeployment> deployment(Reads reads, Component component) {
    return component
        .deployment()
        .flatMap(name -> reads.get(component.deploymentPath(name)))
        .map(found ->
            new SeenDeployment(
                component.name(),
                Component.REVISION_PREFIX,
                found,
                reads.list(
                    component.pods(),
                    SeenDeployment.selector(found).orElseThrow(ClusterFailure::new))));
  }

  /// Of any revision.
  Optional<ObjectNode> secret(Reads reads, Component component, long number) {
    return secret(reads, component, existing, number);
  }

  /// One that somebody else made is not among ours.
  private static Optional<ObjectNode> secret(
      Reads reads, Component component, SortedMap<Long, ObjectNode> existing, long number) {
    return Optional.ofNullable(existing.get(number))
        .or(() -> RolloutReader.revision(reads, component, number));
  }

  /// The revisions whose content is here, among them those that instances claim to run.
  KnownRevisions known(
      Reads reads,
      Component component,
      long latest,
      Optional<ObjectNode> published,
      Collection<Long> claimed) {
    var digests = new TreeMap<Long, String>();
    existing.forEach((number, secret) -> digests.put(number, ContentDigest.ofConfig(secret)));
    for (long number : claimed) {
      if (!digests.containsKey(number)) {
        secret(reads, component, number)
            .ifPresent(one -> digests.put(number, ContentDigest.ofConfig(one)));
      }
    }
    return new KnownRevisions(latest, digests, published.map(ContentDigest::ofConfig));
  }

  /// Names the content of both parts together.
  static String content(JsonNode secret, Optional<? extends JsonNode> pod) {
    return ContentDigest.of(ObjectMeta.data(secret))
        + pod.map(one -> ContentDigest.of(ObjectMeta.data(one))).orElse("");
  }
}
