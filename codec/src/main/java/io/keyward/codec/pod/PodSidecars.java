package io.keyward.codec.pod;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ArrayNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.ContentDigest;
import io.keyward.core.sidecar.PluginContainer;
import io.keyward.core.sidecar.PluginFiles;
import io.keyward.core.sidecar.SidecarPlanner;
import io.keyward.core.sidecar.Sidecars;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;

/// Adds the plugin containers of a configuration to a pod of an API server, and removes those of
/// any other: strip what Keyward manages, add what is needed, leave everything else as it is.
///
/// They are native sidecars: init containers that keep running. They start before the API server
/// and stop after it.
public final class PodSidecars {
  /// On the pod: which containers it has, so that a template with the defaults of an API server can
  /// be compared.
  private static final String ANNOTATION = "keyward.io/kms-plugins";

  private static final String PREFIX = "keyward-kms-";
  private static final String FILES = PREFIX + "files";
  private static final String SOCKETS = PREFIX + "sockets-";
  private static final String DIRECTORY = PREFIX + "directory-";
  private static final String SCRATCH = PREFIX + "tmp";
  private static final String MONITOR = PREFIX + "monitor";

  /// What the controllers of OpenShift call theirs, in a cluster that Keyward takes over.
  private static final List<String> OPENSHIFT_VOLUMES =
      List.of("kms-plugin-socket", "kms-plugins-data");

  private static final String OPENSHIFT_REPORTER = "kms-health-reporter";

  private static final int READABLE = 0444;

  private final ObjectNode pod;
  private final ObjectNode server;

  private PodSidecars(ObjectNode pod, ObjectNode server) {
    this.pod = pod;
    this.server = server;
  }

  /// Where the pod gets the files of the plugins from.
  public sealed interface Source {
    /// A directory of the node, which the node agent writes.
    record OnNode(String directory) implements Source {}

    /// A Secret of the namespace.
    record OfSecret(String name) implements Source {}
  }

  /// Changes a pod in place.
  ///
  /// @param server the container of the API server, or of the program that uses the sockets
  static void apply(ObjectNode pod, ObjectNode server, Sidecars sidecars, Source source) {
    var surgery = new PodSidecars(pod, server);
    surgery.strip();
    if (!sidecars.isEmpty()) {
      surgery.add(sidecars, source);
    }
  }

  /// Whether a pod has these containers already.
  static boolean has(JsonNode pod, Sidecars sidecars, Source source) {
    String found = pod.at("/metadata/annotations").path(ANNOTATION).asText("");
    List<String> names = new ArrayList<>();
    for (JsonNode one : pod.at("/spec/initContainers")) {
      if (isOurs(one)) {
        names.add(one.path("name").asText(""));
      }
    }
    return found.equals(sidecars.isEmpty() ? "" : digest(sidecars, source))
        && names.equals(sidecars.containers().stream().map(PluginContainer::name).toList());
  }

  private static String digest(Sidecars sidecars, Source source) {
    return ContentDigest.of(SidecarCodec.encode(sidecars) + source).substring(0, 16);
  }

  private static boolean isOurs(JsonNode container) {
    String name = container.path("name").asText("");
    return name.startsWith(SidecarPlanner.KEYWARD)
        || name.startsWith(SidecarPlanner.VAULT)
        || name.equals(OPENSHIFT_REPORTER);
  }

  private static boolean isOurVolume(JsonNode named) {
    String name = named.path("name").asText("");
    return name.startsWith(PREFIX) || OPENSHIFT_VOLUMES.contains(name);
  }

  private void strip() {
    JsonNode spec = pod.path("spec");
    remove(spec, "initContainers", PodSidecars::isOurs);
    remove(spec, "volumes", PodSidecars::isOurVolume);
    remove(server, "volumeMounts", PodSidecars::isOurVolume);
    if (pod.at("/metadata/annotations") instanceof ObjectNode annotations
        && annotations.remove(ANNOTATION) != null
        && annotations.isEmpty()) {
      pod.withObject("/metadata").remove("annotations");
    }
  }

  /// A list that becomes empty was added with its first entry.
  private static void remove(JsonNode from, String member, Predicate<JsonNode> which) {
    if (!(from.path(member) instanceof ArrayNode list)) {
      return;
    }
    int before = list.size();
    for (int i = list.size() - 1; i >= 0; i--) {
      if (which.test(list.get(i))) {
        list.remove(i);
      }
    }
    if (list.isEmpty() && before > 0 && from instanceof ObjectNode owner) {
      owner.remove(member);
    }
  }

  private void add(Sidecars sidecars, Source source) {
    ArrayNode containers = pod.withObject("/spec").withArray("initContainers");
    sidecars.containers().forEach(one -> containers.add(container(one, sidecars)));
    ArrayNode mounts = server.withArray("volumeMounts");
    for (String directory : sidecars.sockets()) {
      mount(mounts, socketVolume(directory), directory, true);
    }
    volumes(sidecars, source);
    // What is written into a template also restarts its pods where only the image changed.
    pod.withObject("/metadata")
        .withObject("/annotations")
        .put(ANNOTATION, digest(sidecars, source));
  }

  private static String socketVolume(String directory) {
    return SOCKETS + ContentDigest.of(directory).substring(0, 12);
  }

  private static String directoryVolume(String directory) {
    return DIRECTORY + ContentDigest.of(directory).substring(0, 12);
  }

  private void volumes(Sidecars sidecars, Source source) {
    ArrayNode volumes = pod.withObject("/spec").withArray("volumes");
    ObjectNode files = volumes.addObject().put("name", FILES);
    switch (source) {
      case Source.OnNode(var directory) -> hostPath(files, directory, "Directory");
      case Source.OfSecret(var name) ->
          // Only containers of the pod that mount it can see it.
          files.putObject("secret").put("secretName", name).put("defaultMode", READABLE);
    }
    for (String directory : sidecars.sockets()) {
      volumes.addObject().put("name", socketVolume(directory)).putObject("emptyDir");
    }
    volumes.addObject().put("name", SCRATCH).putObject("emptyDir").put("sizeLimit", "16Mi");
    sidecars.containers().stream()
        .flatMap(one -> one.directories().stream())
        .distinct()
        .forEach(directory ->
            hostPath(
                volumes.addObject().put("name", directoryVolume(directory)),
                directory,
                "Directory"));
    if (sidecars.containers().stream().anyMatch(PluginContainer::monitors)) {
      hostPath(volumes.addObject().put("name", MONITOR), PluginFiles.MONITOR, "DirectoryOrCreate");
    }
  }

  private static void hostPath(ObjectNode volume, String path, String type) {
    volume.putObject("hostPath").put("path", path).put("type", type);
  }

  private static ObjectNode container(PluginContainer one, Sidecars sidecars) {
    ObjectNode json = one(one);
    mountFiles(json);
    ArrayNode mounts = json.withArray("volumeMounts");
    sidecars
        .sockets()
        .forEach(directory -> mount(mounts, socketVolume(directory), directory, false));
    one.directories()
        .forEach(directory -> mount(mounts, directoryVolume(directory), directory, true));
    if (one.monitors()) {
      mount(mounts, MONITOR, PluginFiles.MONITOR, false);
    }
    return json;
  }

  private static ObjectNode one(PluginContainer one) {
    ObjectNode json = JsonNodeFactory.instance.objectNode();
    json.put("name", one.name()).put("image", one.image());
    json.put("imagePullPolicy", "IfNotPresent").put("restartPolicy", "Always");
    words(json, "command", one.command());
    words(json, "args", one.arguments());
    if (!one.ready().isEmpty()) {
      ObjectNode probe = json.putObject("startupProbe");
      words(probe.putObject("exec"), "command", one.ready());
      probe.put("periodSeconds", 1).put("timeoutSeconds", 5).put("failureThreshold", 60);
    }
    limit(json);
    json.put("terminationMessagePolicy", "FallbackToLogsOnError");
    return json;
  }

  /// Mounts the files of the plugins, and a directory for temporary files.
  static void mountFiles(ObjectNode container) {
    ArrayNode mounts = container.withArray("volumeMounts");
    mount(mounts, FILES, PluginFiles.DIRECTORY, true);
    mount(mounts, SCRATCH, "/tmp", false);
  }

  /// What every container of Keyward that needs no privileges has.
  static void limit(ObjectNode json) {
    ObjectNode resources = json.putObject("resources");
    resources.putObject("requests").put("cpu", "10m").put("memory", "64Mi");
    resources.putObject("limits").put("memory", "256Mi");
    ObjectNode security = json.putObject("securityContext");
    security
        .put("runAsNonRoot", true)
        .put("runAsUser", PluginFiles.USER)
        .put("runAsGroup", PluginFiles.USER);
    security.put("readOnlyRootFilesystem", true).put("allowPrivilegeEscalation", false);
    security.putObject("capabilities").putArray("drop").add("ALL");
    security.putObject("seccompProfile").put("type", "RuntimeDefault");
  }

  private static void words(ObjectNode json, String member, List<String> words) {
    if (!words.isEmpty()) {
      words.forEach(json.putArray(member)::add);
    }
  }

  private static void mount(ArrayNode mounts, String name, String at, boolean readOnly) {
    ObjectNode mount = mounts.addObject().put("name", name).put("mountPath", at);
    if (readOnly) {
      mount.put("readOnly", true);
    }
  }
}
