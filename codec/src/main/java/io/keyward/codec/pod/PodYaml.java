package io.keyward.codec.pod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.Json;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.rollout.RevisionNumber;
import io.keyward.core.rollout.manifest.PodManifest;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;

/// The manifest of a static pod: what counts of it is read, and what it lacks is added.
public final class PodYaml {
  private final String component;
  private final PodBody pod;

  private PodYaml(String component, PodBody pod) {
    this.component = component;
    this.pod = pod;
  }

  /// A problem where the text is no manifest of a pod.
  public static Decoded<PodYaml> parse(String component, String text) {
    return Json.read(text)
        .map(ObjectNode.class::cast)
        .filter(pod -> ObjectMeta.kind(pod).equals("Pod"))
        .flatMap(pod -> PodBody.of(component, pod))
        .map(body -> Decoded.good(new PodYaml(component, body)))
        .orElseGet(() ->
            Decoded.bad(
                "the manifest of " + component,
                "is no Pod with a container; correct " + component + "-pod"));
  }

  /// 0 where it has none.
  public long revision() {
    return RevisionNumber.parse(pod.label()).orElse(0);
  }

  /// The configuration that its API server is started with.
  ///
  /// @param file as the container sees it
  /// @param onNode the same as a path of the node; absent where no directory of the node is mounted
  ///   there
  public record ConfigFile(String file, Optional<String> onNode) {}

  /// Empty where its API server is started without one.
  public Optional<ConfigFile> configFile() {
    return pod.anyFlag().map(file -> new ConfigFile(file, onNode(file)));
  }

  /// The deepest mount hides what is mounted above it.
  private Optional<String> onNode(String file) {
    return pod.mounts("/hostPath/path").entrySet().stream()
        .filter(mount -> file.equals(mount.getKey()) || file.startsWith(slashed(mount.getKey())))
        .max(Comparator.comparingInt(mount -> slashed(mount.getKey()).length()))
        .filter(mount -> !mount.getValue().isEmpty())
        .map(mount ->
            file.equals(mount.getKey())
                ? mount.getValue()
                : slashed(mount.getValue()) + file.substring(slashed(mount.getKey()).length()));
  }

  private static String slashed(String directory) {
    return directory.endsWith("/") ? directory : directory + "/";
  }

  /// As JSON, which is YAML too.
  public String text() {
    return pod.json().toPrettyString() + "\n";
  }

  public PodManifest manifest() {
    return new PodManifest(
        pod.flag(), pod.mounts("/hostPath/path"), pod.label().equals(PodManifest.REVISION));
  }

  public PodYaml with(List<ManifestNeed> needs) {
    var copy = new PodYaml(component, PodBody.of(component, pod.json().deepCopy()).orElseThrow());
    needs.forEach(copy::add);
    return copy;
  }

  private void add(ManifestNeed need) {
    switch (need) {
      case ManifestNeed.Flag _ -> pod.setFlag(PodManifest.CONFIG_FILE);
      case ManifestNeed.Label _ -> pod.setLabel(PodManifest.REVISION);
      case ManifestNeed.Resources _ ->
          mount(
              "resource-dir",
              PodManifest.RESOURCES,
              PodManifest.RESOURCES + "/" + component + "-pod-" + PodManifest.REVISION);
      case ManifestNeed.Sockets(var directory) ->
          mount(PodBody.socketVolume(directory), directory, directory);
      // Whoever made it takes it away.
      case ManifestNeed.Obstacle _ -> {}
    }
  }

  private void mount(String name, String at, String path) {
    pod.mount(name, at, false).putObject("hostPath").put("path", path);
  }
}
