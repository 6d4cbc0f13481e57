package io.keyward.codec.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ContentDigest;
import io.keyward.core.sidecar.Sidecars;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// Metadata and spec of a pod, whether in a manifest, in a template or of a pod that runs.
///
/// Of several containers the one that bears the component's name is the API server, else the first.
/// Its flags are words of their own in `command` or `args`.
final class PodBody {
  private static final String FLAG = "--encryption-provider-config";
  private static final String LABEL = "revision";
  private static final String SOCKETS = "kms-sockets-";
  private static final String RESTARTS = "keyward.io/restarts";

  private final ObjectNode pod;
  private final ObjectNode container;

  private PodBody(ObjectNode pod, ObjectNode container) {
    this.pod = pod;
    this.container = container;
  }

  /// Empty where it has no container.
  static Optional<PodBody> of(String component, ObjectNode pod) {
    if (!(pod.at("/spec/containers/0") instanceof ObjectNode first)) {
      return Optional.empty();
    }
    ObjectNode server = first;
    for (JsonNode one : pod.at("/spec/containers")) {
      if (one instanceof ObjectNode named && one.path("name").asText("").equals(component)) {
        server = named;
      }
    }
    return Optional.of(new PodBody(pod, server));
  }

  ObjectNode json() {
    return pod;
  }

  String label() {
    return pod.at("/metadata/labels/" + LABEL).asText("");
  }

  void setLabel(String text) {
    pod.withObject("/metadata").withObject("labels").put(LABEL, text);
  }

  /// The name of the volume for a directory of the node. Each directory has its own, so that none
  /// takes the place of another.
  static String socketVolume(String directory) {
    return SOCKETS + ContentDigest.of(directory).substring(0, 12);
  }

  static boolean isSocketVolume(String name) {
    return name.startsWith(SOCKETS);
  }

  /// Where the container sees a volume, and what that is; empty where it is of another kind.
  ///
  /// @param source what tells it in a volume, for example `/hostPath/path`
  SortedMap<String, String> mounts(String source) {
    var volumes = new TreeMap<String, String>();
    for (JsonNode volume : pod.at("/spec/volumes")) {
      volumes.put(volume.path("name").asText(""), volume.at(source).asText(""));
    }
    var mounts = new TreeMap<String, String>();
    for (JsonNode mount : container.path("volumeMounts")) {
      String path = volumes.getOrDefault(mount.path("name").asText(""), "");
      String below = mount.path("subPath").asText("");
      mounts.put(
          mount.path("mountPath").asText(""),
          path.isEmpty() || below.isEmpty() ? path : path + "/" + below);
    }
    return mounts;
  }

  Optional<String> flag() {
    return value(FLAG);
  }

  Optional<String> value(String flag) {
    for (String list : List.of("command", "args")) {
      for (JsonNode word : container.path(list)) {
        if (word.asText("").startsWith(flag + "=")) {
          return Optional.of(word.asText("").substring(flag.length() + 1));
        }
      }
    }
    return Optional.empty();
  }

  /// The same in every form that an API server or a shell takes: with `=`, as two words, or within
  /// a longer text. Of several the last one counts.
  Optional<String> anyFlag() {
    var words = new ArrayList<String>();
    for (String list : List.of("command", "args")) {
      for (JsonNode word : container.path(list)) {
        words.addAll(List.of(word.asText("").strip().split("\\s+", -1)));
      }
    }
    Optional<String> found = Optional.empty();
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i);
      if (word.equals(FLAG)) {
        found = Optional.of(i + 1 < words.size() ? words.get(i + 1) : "");
      } else if (word.startsWith(FLAG + "=")) {
        found = Optional.of(word.substring(FLAG.length() + 1));
      }
    }
    return found;
  }

  /// In place of the first, and without any other: of several, the API server takes the last.
  void setFlag(String file) {
    String wanted = FLAG + "=" + file;
    boolean isSet = false;
    for (String list : List.of("command", "args")) {
      if (container.path(list) instanceof ArrayNode words) {
        isSet = setFlag(words, wanted, isSet);
      }
    }
    if (!isSet) {
      // A command of its own would take the place of what the image starts.
      boolean toCommand = container.has("command") && !container.has("args");
      container.withArray(toCommand ? "command" : "args").add(wanted);
    }
  }

  private static boolean setFlag(ArrayNode words, String wanted, boolean wasSet) {
    boolean isSet = wasSet;
    for (int i = 0; i < words.size(); i++) {
      String word = words.get(i).asText("");
      if (!word.equals(FLAG) && !word.startsWith(FLAG + "=")) {
        continue;
      }
      if (word.equals(FLAG) && i + 1 < words.size()) {
        // The file is a word of its own.
        words.remove(i + 1);
      }
      if (isSet) {
        words.remove(i--);
      } else {
        words.set(i, wanted);
        isSet = true;
      }
    }
    return isSet;
  }

  /// In place of what was mounted there, and of a volume of that name.
  ///
  /// @return the volume, without a source yet
  ObjectNode mount(String name, String at, boolean readOnly) {
    ArrayNode mounts = container.withArray("volumeMounts");
    remove(mounts, "mountPath", at);
    mounts.addObject().put("name", name).put("mountPath", at).put("readOnly", readOnly);
    ArrayNode volumes = pod.withObject("/spec").withArray("volumes");
    remove(volumes, "name", name);
    return volumes.addObject().put("name", name);
  }

  /// With these plugin containers, and no others of Keyward.
  void setPlugins(Sidecars sidecars, PodSidecars.Source source) {
    PodSidecars.apply(pod, container, sidecars, source);
  }

  boolean hasPlugins(Sidecars sidecars, PodSidecars.Source source) {
    return PodSidecars.has(pod, sidecars, source);
  }

  void countRestart() {
    ObjectNode annotations = pod.withObject("/metadata/annotations");
    long before = annotations.path(RESTARTS).asLong(0);
    annotations.put(RESTARTS, Long.toString(before + 1));
  }

  /// The pod without the flag, the label and the volumes that Keyward adds on a node of kubeadm.
  /// The flag stays where it names another file.
  ///
  /// @param volume the volume with the configuration
  /// @param file the configuration
  void strip(String volume, String file) {
    PodSidecars.apply(pod, container, Sidecars.NONE, new PodSidecars.Source.OnNode(""));
    for (String list : List.of("command", "args")) {
      if (container.path(list) instanceof ArrayNode words) {
        for (int i = words.size() - 1; i >= 0; i--) {
          if (words.get(i).asText("").equals(FLAG + "=" + file)) {
            words.remove(i);
          }
        }
      }
    }
    if (pod.at("/metadata/labels") instanceof ObjectNode labels) {
      labels.remove(LABEL);
    }
    if (pod.at("/metadata/annotations") instanceof ObjectNode annotations) {
      annotations.remove(RESTARTS);
    }
    for (JsonNode list : List.of(container.path("volumeMounts"), pod.at("/spec/volumes"))) {
      if (list instanceof ArrayNode entries) {
        for (int i = entries.size() - 1; i >= 0; i--) {
          String name = entries.get(i).path("name").asText("");
          if (name.equals(volume) || isSocketVolume(name)) {
            entries.remove(i);
          }
        }
      }
    }
  }

  private static void remove(ArrayNode list, String member, String value) {
    for (int i = list.size() - 1; i >= 0; i--) {
      if (list.get(i).path(member).asText("").equals(value)) {
        list.remove(i);
      }
    }
  }
}
