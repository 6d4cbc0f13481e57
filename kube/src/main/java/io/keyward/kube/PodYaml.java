package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.fabric8.kubernetes.client.utils.Serialization;
import io.keyward.core.rollout.RevisionNumber;
import io.keyward.operator.ManifestNeed;
import io.keyward.operator.PodManifest;
import java.util.List;
import java.util.Optional;
import java.util.TreeMap;

/// The manifest of a static pod: what counts of it is read, and what it lacks is added.
///
/// Of several containers the one that bears the component's name is the API server, else the first.
/// Its flags are words of their own in `command` or `args`.
public final class PodYaml {
  private static final String FLAG = "--encryption-provider-config";
  private static final String LABEL = "revision";

  private final String component;
  private final ObjectNode pod;
  private final ObjectNode container;

  private PodYaml(String component, ObjectNode pod, ObjectNode container) {
    this.component = component;
    this.pod = pod;
    this.container = container;
  }

  /// Fails in words where the text is no manifest of a pod.
  public static PodYaml parse(String component, String text) {
    ClusterFailure wrong =
        new ClusterFailure(
            "the manifest of "
                + component
                + " is no Pod with a container; correct "
                + component
                + "-pod",
            0);
    try {
      Object read = Serialization.unmarshal(text, Object.class);
      if (Api.JSON.valueToTree(read) instanceof ObjectNode pod
          && pod.path("kind").asText("").equals("Pod")
          && pod.at("/spec/containers/0") instanceof ObjectNode first) {
        ObjectNode server = first;
        for (JsonNode one : pod.at("/spec/containers")) {
          if (one instanceof ObjectNode named && one.path("name").asText("").equals(component)) {
            server = named;
          }
        }
        return new PodYaml(component, pod, server);
      }
    } catch (RuntimeException e) {
      wrong.addSuppressed(e);
    }
    throw wrong;
  }

  /// 0 where it has none.
  public long revision() {
    return RevisionNumber.parse(pod.at("/metadata/labels/" + LABEL).asText("")).orElse(0);
  }

  /// As JSON, which is YAML too.
  String text() {
    return pod.toPrettyString() + "\n";
  }

  PodManifest manifest() {
    var hostPaths = new TreeMap<String, String>();
    for (JsonNode volume : pod.at("/spec/volumes")) {
      hostPaths.put(volume.path("name").asText(""), volume.at("/hostPath/path").asText(""));
    }
    var mounts = new TreeMap<String, String>();
    for (JsonNode mount : container.path("volumeMounts")) {
      mounts.put(
          mount.path("mountPath").asText(""),
          hostPaths.getOrDefault(mount.path("name").asText(""), ""));
    }
    return new PodManifest(
        flag(),
        mounts,
        pod.at("/metadata/labels/" + LABEL).asText("").equals(PodManifest.REVISION));
  }

  private Optional<String> flag() {
    for (String list : List.of("command", "args")) {
      for (JsonNode word : container.path(list)) {
        if (word.asText("").startsWith(FLAG + "=")) {
          return Optional.of(word.asText("").substring(FLAG.length() + 1));
        }
      }
    }
    return Optional.empty();
  }

  PodYaml with(List<ManifestNeed> needs) {
    PodYaml copy = parse(component, pod.toString());
    needs.forEach(copy::add);
    return copy;
  }

  private void add(ManifestNeed need) {
    switch (need) {
      case ManifestNeed.Flag _ -> setFlag();
      case ManifestNeed.Label _ ->
          pod.withObject("/metadata").withObject("labels").put(LABEL, PodManifest.REVISION);
      case ManifestNeed.Resources _ ->
          mount(
              "resource-dir",
              PodManifest.RESOURCES,
              PodManifest.RESOURCES + "/" + component + "-pod-" + PodManifest.REVISION);
      case ManifestNeed.Sockets(var directory) ->
          mount("kms-sockets-" + container.path("volumeMounts").size(), directory, directory);
    }
  }

  private void setFlag() {
    String wanted = FLAG + "=" + PodManifest.CONFIG_FILE;
    for (String list : List.of("command", "args")) {
      if (container.path(list) instanceof ArrayNode words) {
        for (int i = 0; i < words.size(); i++) {
          if (words.get(i).asText("").startsWith(FLAG + "=")) {
            words.set(i, wanted);
            return;
          }
        }
      }
    }
    container.withArray(container.has("args") ? "args" : "command").add(wanted);
  }

  private void mount(String name, String at, String path) {
    ArrayNode mounts = container.withArray("volumeMounts");
    for (int i = mounts.size() - 1; i >= 0; i--) {
      if (mounts.get(i).path("mountPath").asText("").equals(at)) {
        mounts.remove(i);
      }
    }
    mounts.addObject().put("name", name).put("mountPath", at).put("readOnly", false);
    ArrayNode volumes = pod.withObject("/spec").withArray("volumes");
    for (int i = volumes.size() - 1; i >= 0; i--) {
      if (volumes.get(i).path("name").asText("").equals(name)) {
        volumes.remove(i);
      }
    }
    volumes.addObject().put("name", name).putObject("hostPath").put("path", path);
  }
}
