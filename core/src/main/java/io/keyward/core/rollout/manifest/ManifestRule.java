package io.keyward.core.rollout.manifest;

import io.keyward.core.model.rollout.ManifestNeed;
import java.util.ArrayList;
import java.util.Collection;
import java.util.Comparator;
import java.util.List;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeSet;
import java.util.stream.Stream;

/// Whether a manifest and an encryption configuration belong together.
///
/// They are written at different moments. A revision that joined an API server without the flag, or
/// without the socket of a plugin, with a configuration that needs it would not start on any node.
public final class ManifestRule {
  private ManifestRule() {}

  /// Empty where they do.
  ///
  /// @param sockets of the plugins that the configuration names
  public static List<ManifestNeed> needs(PodManifest pod, Collection<String> sockets) {
    var needs = new ArrayList<ManifestNeed>();
    if (!pod.configFlag().filter(PodManifest.CONFIG_FILE::equals).isPresent()) {
      needs.add(new ManifestNeed.Flag());
    }
    if (!pod.labelled()) {
      needs.add(new ManifestNeed.Label());
    }
    if (!pod.mounts()
        .getOrDefault(PodManifest.RESOURCES, "")
        .endsWith("-" + PodManifest.REVISION)) {
      needs.add(new ManifestNeed.Resources());
    }
    needs.addAll(directories(pod.mounts(), sockets));
    return List.copyOf(needs);
  }

  /// What the configuration lacks that kubeadm writes manifests from. Nothing before every node has
  /// a revision: kubeadm would start an API server with the path of a file that does not exist.
  ///
  /// @param sockets of the plugins that the configuration names
  /// @param revisions that the nodes run
  public static List<ManifestNeed> kubeadmConfigNeeds(
      PodManifest config, Collection<String> sockets, Collection<Long> revisions) {
    boolean hasFiles = !revisions.isEmpty() && revisions.stream().allMatch(one -> one > 0);
    return hasFiles ? kubeadmNeeds(config, sockets) : List.of();
  }

  /// What a manifest of kubeadm lacks. A missing label is no need: it only makes the kubelet
  /// restart the pod.
  ///
  /// @param sockets of the plugins that the configuration names
  public static List<ManifestNeed> kubeadmNeeds(PodManifest pod, Collection<String> sockets) {
    var needs = new ArrayList<ManifestNeed>();
    ConfigPlace place = ConfigPlace.KUBEADM;
    if (!pod.configFlag().filter(place.file()::equals).isPresent()) {
      needs.add(new ManifestNeed.Flag());
    }
    if (!bare(pod.mounts().getOrDefault(place.mountPath(), "")).equals(place.directory())) {
      needs.add(new ManifestNeed.Resources());
    }
    needs.addAll(directories(pod.mounts(), sockets));
    return List.copyOf(needs);
  }

  /// The directories of sockets that the container does not see.
  ///
  /// @param mounts where it sees which path of the node; empty for what is no such path
  static List<ManifestNeed> directories(
      SortedMap<String, String> mounts, Collection<String> sockets) {
    var directories = new TreeSet<String>();
    sockets.forEach(socket -> directories.add(parent(socket)));
    return directories.stream()
        .flatMap(directory -> directory(mounts, directory).stream())
        .toList();
  }

  private static Optional<ManifestNeed> directory(
      SortedMap<String, String> mounts, String directory) {
    // The deepest mount hides what is mounted above it.
    return mounts.entrySet().stream()
        .filter(mount -> holds(bare(mount.getKey()), directory))
        .max(Comparator.comparingInt(mount -> bare(mount.getKey()).length()))
        .map(mount -> through(bare(mount.getKey()), mount.getValue(), directory))
        .orElseGet(() -> Optional.of(new ManifestNeed.Sockets(directory)));
  }

  private static Optional<ManifestNeed> through(String at, String path, String directory) {
    if (onNode(path).equals(onNode(at))) {
      return Optional.empty();
    }
    return Optional.of(
        at.equals(directory)
            ? new ManifestNeed.Obstacle(
                directory,
                path.isEmpty()
                    ? "a volume that is no directory of the node"
                    : path + " of the node")
            : new ManifestNeed.Sockets(directory));
  }

  /// What somebody has to take away, in words.
  public static Optional<String> obstacle(Collection<ManifestNeed> needs) {
    return needs.stream()
        .flatMap(need ->
            need instanceof ManifestNeed.Obstacle(var directory, var by)
                ? Stream.of(
                    "the API server must see the node's "
                        + directory
                        + ", where the socket of a KMS plugin is, but "
                        + by
                        + " is mounted there: take that mount away, or let the plugin listen elsewhere")
                : Stream.empty())
        .findFirst();
  }

  private static String bare(String path) {
    return path.length() > 1 && path.endsWith("/") ? path.substring(0, path.length() - 1) : path;
  }

  /// The one is a link to the other on every node.
  private static String onNode(String path) {
    String bare = bare(path);
    return bare.equals("/var/run") || bare.startsWith("/var/run/")
        ? bare.substring("/var".length())
        : bare;
  }

  private static String parent(String socket) {
    int end = socket.lastIndexOf('/');
    return end > 0 ? socket.substring(0, end) : "/";
  }

  private static boolean holds(String mount, String directory) {
    return directory.equals(mount)
        || directory.startsWith(mount.endsWith("/") ? mount : mount + "/");
  }
}
