package io.keyward.operator;

import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.TreeSet;

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
    needs.addAll(directories(pod.mounts().keySet(), sockets));
    return List.copyOf(needs);
  }

  /// The directories of sockets that none of these mounts holds.
  static List<ManifestNeed> directories(Collection<String> mounts, Collection<String> sockets) {
    var directories = new TreeSet<String>();
    sockets.forEach(socket -> directories.add(parent(socket)));
    return directories.stream()
        .filter(directory -> mounts.stream().noneMatch(at -> holds(at, directory)))
        .<ManifestNeed>map(ManifestNeed.Sockets::new)
        .toList();
  }

  private static String parent(String socket) {
    int end = socket.lastIndexOf('/');
    return end > 0 ? socket.substring(0, end) : "/";
  }

  private static boolean holds(String mount, String directory) {
    return directory.equals(mount) || directory.startsWith(mount + "/");
  }
}
