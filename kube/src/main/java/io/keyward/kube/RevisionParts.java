package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.rollout.KnownRevisions;
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
/// @param newest the secret of the newest revision
/// @param newestPod the manifest of the newest revision
/// @param deployment what gets the revisions by name; absent where there is none or it is missing
/// @param existing the secrets of all our revisions, by their numbers
/// @param taken numbers above the newest one that must not be used again
/// @param silent nodes that do not answer, since when
record RevisionParts(
    Optional<ObjectNode> pod,
    Optional<ObjectNode> newest,
    Optional<ObjectNode> newestPod,
    Optional<SeenDeployment> deployment,
    SortedMap<Long, ObjectNode> existing,
    SortedSet<Long> taken,
    SortedMap<String, String> silent) {

  static RevisionParts read(
      Api api, Component component, long latest, SortedMap<String, String> silent) {
    var deployment = SeenDeployment.read(api, component);
    var objects = new RevisionObjects(api, component);
    var existing = objects.existing();
    var newest = secret(api, component, existing, latest);
    var taken = objects.taken(existing.tailMap(latest + 1));
    if (component.workload() != Workload.STATIC_POD) {
      return new RevisionParts(
          Optional.empty(), newest, Optional.empty(), deployment, existing, taken, silent);
    }
    return new RevisionParts(
        api.get(component.configMaps() + "/" + component.podConfigMap()),
        newest,
        latest == 0
            ? Optional.empty()
            : api.get(component.configMaps() + "/" + component.podRevision(latest)),
        deployment,
        existing,
        taken,
        silent);
  }

  /// Of any revision.
  Optional<ObjectNode> secret(Api api, Component component, long number) {
    return secret(api, component, existing, number);
  }

  /// One that somebody else made is not among ours.
  private static Optional<ObjectNode> secret(
      Api api, Component component, SortedMap<Long, ObjectNode> existing, long number) {
    return Optional.ofNullable(existing.get(number))
        .or(() -> RolloutReader.revision(api, component, number));
  }

  /// The revisions whose content is here, among them those that instances claim to run.
  KnownRevisions known(
      Api api,
      Component component,
      long latest,
      Optional<ObjectNode> published,
      Collection<Long> claimed) {
    var digests = new TreeMap<Long, String>();
    existing.forEach((number, secret) -> digests.put(number, Digest.ofConfig(secret)));
    for (long number : claimed) {
      if (!digests.containsKey(number)) {
        secret(api, component, number).ifPresent(one -> digests.put(number, Digest.ofConfig(one)));
      }
    }
    return new KnownRevisions(latest, digests, published.map(Digest::ofConfig));
  }

  /// Names the content of both parts together.
  static String content(JsonNode secret, Optional<? extends JsonNode> pod) {
    return Digest.of(secret.path("data")) + pod.map(one -> Digest.of(one.path("data"))).orElse("");
  }
}
