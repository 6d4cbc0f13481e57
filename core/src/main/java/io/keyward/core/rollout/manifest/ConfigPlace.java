package io.keyward.core.rollout.manifest;

/// The place of an encryption configuration in the container of an API server, and on its node.
///
/// @param file the path in the container, for `--encryption-provider-config`
/// @param mountPath the directory of the container that holds it
/// @param directory the directory of the node that is mounted there
/// @param volume the name of the volume
/// @param shared whether the directory stays the same for all revisions, and is mounted read-only
public record ConfigPlace(
    String file, String mountPath, String directory, String volume, boolean shared) {
  private static final String KUBEADM_DIRECTORY = "/etc/kubernetes/keyward/kube-apiserver";

  /// On a node of kubeadm. The path is the same for all revisions: kubeadm writes it into manifests
  /// by itself, and knows nothing about revisions.
  public static final ConfigPlace KUBEADM =
      new ConfigPlace(
          KUBEADM_DIRECTORY + "/encryption-config",
          KUBEADM_DIRECTORY,
          KUBEADM_DIRECTORY,
          "keyward-encryption",
          true);

  /// In a static pod whose manifest is part of a revision.
  public static ConfigPlace ofRevision(String component) {
    return new ConfigPlace(
        PodManifest.CONFIG_FILE,
        PodManifest.RESOURCES,
        PodManifest.RESOURCES + "/" + component + "-pod-" + PodManifest.REVISION,
        "resource-dir",
        false);
  }
}
