package io.keyward.core.rollout.manifest;

import java.util.Collections;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// What counts of a static pod's manifest for encryption.
///
/// @param configFlag what the API server's `--encryption-provider-config` says
/// @param mounts where the API server's container sees a volume, and which path of the node that
///   is; empty where the volume is no path of the node
/// @param labelled whether the pod's label `revision` is filled in on the node
public record PodManifest(
    Optional<String> configFlag, SortedMap<String, String> mounts, boolean labelled) {
  /// A node replaces this word in a manifest by the number of the revision.
  public static final String REVISION = "REVISION";

  /// Where the container sees the files of its revision.
  public static final String RESOURCES = "/etc/kubernetes/static-pod-resources";

  /// Where the files of the secret `encryption-config` lie below the files of a revision.
  public static final String CONFIG_DIRECTORY = "secrets/encryption-config";

  /// Where the container sees its encryption configuration.
  public static final String CONFIG_FILE =
      RESOURCES + "/" + CONFIG_DIRECTORY + "/encryption-config";

  public PodManifest {
    mounts = Collections.unmodifiableSortedMap(new TreeMap<>(mounts));
  }
}
