package io.keyward.codec.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.Json;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.object.Yaml;
import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.rollout.manifest.ConfigPlace;
import io.keyward.core.rollout.manifest.PodManifest;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The ClusterConfiguration of kubeadm, from which kubeadm writes the manifests of API servers:
/// what counts of it for encryption is read, and what it lacks is added.
public final class KubeadmYaml {
  /// The ConfigMap that holds it, and its namespace.
  public static final String NAMESPACE = "kube-system";

  public static final String NAME = "kubeadm-config";

  /// Where the API has that ConfigMap.
  public static final String PATH = "/api/v1/namespaces/" + NAMESPACE + "/configmaps/" + NAME;

  /// The data key of that ConfigMap.
  public static final String KEY = "ClusterConfiguration";

  private static final String FLAG = "encryption-provider-config";
  private static final String ARGUMENTS = "extraArgs";
  private static final String VOLUMES = "extraVolumes";

  private final ObjectNode root;

  private KubeadmYaml(ObjectNode root) {
    this.root = root;
  }

  /// A problem where the text is no ClusterConfiguration.
  public static Decoded<KubeadmYaml> parse(String text) {
    return Json.read(text)
        .map(ObjectNode.class::cast)
        .filter(found -> ObjectMeta.kind(found).equals(KEY))
        .map(found -> Decoded.good(new KubeadmYaml(found)))
        .orElseGet(() ->
            Decoded.bad(
                "ConfigMap " + NAMESPACE + "/" + NAME,
                "has no ClusterConfiguration that can be read"));
  }

  /// What the manifests will have that kubeadm writes from it.
  public PodManifest manifest() {
    var mounts = new TreeMap<String, String>();
    for (JsonNode volume : apiServer().path(VOLUMES)) {
      mounts.put(volume.path("mountPath").asText(""), volume.path("hostPath").asText(""));
    }
    return new PodManifest(flag(), mounts, true);
  }

  /// Host and port of the API of the cluster, whichever API servers are up; empty where the cluster
  /// was made without one.
  public Optional<String> endpoint() {
    return Optional.of(root.path("controlPlaneEndpoint").asText("")).filter(one -> !one.isEmpty());
  }

  private JsonNode apiServer() {
    return root.path("apiServer");
  }

  /// Up to v1beta3 arguments are a map, from v1beta4 on they are a list. Of several the last
  /// counts.
  private Optional<String> flag() {
    JsonNode arguments = apiServer().path(ARGUMENTS);
    if (arguments.isObject()) {
      return Optional.ofNullable(arguments.get(FLAG)).map(JsonNode::asText);
    }
    Optional<String> found = Optional.empty();
    for (JsonNode one : arguments) {
      if (one.path("name").asText("").equals(FLAG)) {
        found = Optional.of(one.path("value").asText(""));
      }
    }
    return found;
  }

  public KubeadmYaml with(List<ManifestNeed> needs) {
    var copy = new KubeadmYaml(root.deepCopy());
    needs.forEach(copy::add);
    return copy;
  }

  private void add(ManifestNeed need) {
    ConfigPlace place = ConfigPlace.KUBEADM;
    switch (need) {
      case ManifestNeed.Flag _ -> setFlag(place.file());
      case ManifestNeed.Resources _ ->
          mount(place.volume(), place.directory(), place.mountPath(), true);
      case ManifestNeed.Sockets(var directory) ->
          mount(PodBody.socketVolume(directory), directory, directory, false);
      // kubeadm knows no labels and no other containers: the node agent adds both to the manifest.
      // An obstacle is for an administrator to remove.
      case ManifestNeed.Label _, ManifestNeed.Plugins _, ManifestNeed.Obstacle _ -> {}
    }
  }

  private void setFlag(String file) {
    ObjectNode server = root.withObject("/apiServer");
    if (server.path(ARGUMENTS) instanceof ObjectNode map) {
      map.put(FLAG, file);
      return;
    }
    ArrayNode list = server.withArray(ARGUMENTS);
    removeFrom(list, "name", FLAG);
    list.addObject().put("name", FLAG).put("value", file);
  }

  private void mount(String name, String directory, String at, boolean readOnly) {
    ArrayNode volumes = root.withObject("/apiServer").withArray(VOLUMES);
    removeFrom(volumes, "name", name);
    removeFrom(volumes, "mountPath", at);
    volumes
        .addObject()
        .put("name", name)
        .put("hostPath", directory)
        .put("mountPath", at)
        .put("readOnly", readOnly)
        .put("pathType", "DirectoryOrCreate");
  }

  /// Without what Keyward added; another flag of the same name stays.
  public KubeadmYaml withoutKeyward() {
    var copy = new KubeadmYaml(root.deepCopy());
    copy.remove();
    return copy;
  }

  private void remove() {
    if (!(root.path("apiServer") instanceof ObjectNode server)) {
      return;
    }
    boolean isOurs = flag().filter(ConfigPlace.KUBEADM.file()::equals).isPresent();
    switch (server.path(ARGUMENTS)) {
      case ObjectNode map when isOurs -> map.remove(FLAG);
      case ArrayNode list when isOurs -> removeFrom(list, "name", FLAG);
      default -> {}
    }
    if (server.path(VOLUMES) instanceof ArrayNode volumes) {
      for (int i = volumes.size() - 1; i >= 0; i--) {
        String name = volumes.get(i).path("name").asText("");
        if (name.equals(ConfigPlace.KUBEADM.volume()) || PodBody.isSocketVolume(name)) {
          volumes.remove(i);
        }
      }
    }
    for (String list : List.of(ARGUMENTS, VOLUMES)) {
      if (server.path(list).isContainerNode() && server.path(list).isEmpty()) {
        server.remove(list);
      }
    }
  }

  private static void removeFrom(ArrayNode list, String member, String value) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.get(i).path(member).asText("").equals(value)) {
        list.remove(i);
      }
    }
  }

  public String yaml() {
    return Yaml.write(root);
  }
}
