package io.keyward.codec.pod;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.Json;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.object.Yaml;
import io.keyward.core.model.rollout.ManifestNeed;
import io.keyward.core.rollout.RevisionNumber;
import io.keyward.core.rollout.manifest.ConfigPlace;
import io.keyward.core.rollout.manifest.PodManifest;
import io.keyward.core.sidecar.Sidecars;
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

  /// The URL at which its API server listens, by a name that kubeadm writes into its certificate.
  public Optional<String> address() {
    return pod.value("--advertise-address")
        .map(host ->
            "https://"
                + (host.contains(":") ? "[" + host + "]" : host)
                + ":"
                + pod.value("--secure-port").orElse("6443"));
  }

  /// The value of a flag of its program, for example of `--etcd-servers`.
  public Optional<String> argument(String flag) {
    return pod.value(flag);
  }

  /// A file of its container as a path of the node; empty where no directory of the node is mounted
  /// there. The deepest mount hides what is mounted above it.
  public Optional<String> onNode(String file) {
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

  /// As YAML in block style, for a file that administrators edit.
  public String yaml() {
    return Yaml.write(pod.json());
  }

  public PodYaml with(List<ManifestNeed> needs) {
    return with(needs, ConfigPlace.ofRevision(component));
  }

  public PodYaml with(List<ManifestNeed> needs, ConfigPlace place) {
    PodYaml copy = copy();
    needs.forEach(need -> copy.add(need, place));
    return copy;
  }

  /// With these plugin containers, and no others of Keyward.
  public PodYaml withPlugins(Sidecars sidecars, PodSidecars.Source source) {
    PodYaml copy = copy();
    copy.pod.setPlugins(sidecars, source);
    return copy;
  }

  public boolean hasPlugins(Sidecars sidecars, PodSidecars.Source source) {
    return pod.hasPlugins(sidecars, source);
  }

  /// With the label `revision`. Another label is another pod to the kubelet, which replaces the one
  /// that runs.
  public PodYaml labelled(long revision) {
    PodYaml copy = copy();
    copy.pod.setLabel(Long.toString(revision));
    return copy;
  }

  /// Another pod to the kubelet, which replaces the one that runs.
  public PodYaml restarted() {
    PodYaml copy = copy();
    copy.pod.countRestart();
    return copy;
  }

  /// Without what Keyward adds on a node of kubeadm.
  public PodYaml withoutKeyward() {
    PodYaml copy = copy();
    copy.pod.strip(ConfigPlace.KUBEADM.volume(), ConfigPlace.KUBEADM.file());
    return copy;
  }

  private PodYaml copy() {
    return new PodYaml(component, PodBody.of(component, pod.json().deepCopy()).orElseThrow());
  }

  private void add(ManifestNeed need, ConfigPlace place) {
    switch (need) {
      case ManifestNeed.Flag _ -> pod.setFlag(place.file());
      case ManifestNeed.Label _ -> pod.setLabel(PodManifest.REVISION);
      case ManifestNeed.Resources _ -> mount(place);
      case ManifestNeed.Sockets(var directory) ->
          mount(PodBody.socketVolume(directory), directory, directory);
      // Plugins are added for a revision. Only its owner removes an obstacle.
      case ManifestNeed.Plugins _, ManifestNeed.Obstacle _ -> {}
    }
  }

  private void mount(ConfigPlace place) {
    var hostPath =
        pod.mount(place.volume(), place.mountPath(), place.shared())
            .putObject("hostPath")
            .put("path", place.directory());
    if (place.shared()) {
      hostPath.put("type", "DirectoryOrCreate");
    }
  }

  private void mount(String name, String at, String path) {
    pod.mount(name, at, false).putObject("hostPath").put("path", path);
  }
}
