package io.keyward.kube.client;

import java.nio.file.Path;
import java.util.Optional;

/// How to reach a cluster. Means what the options of kubectl with these names mean.
///
/// @param kubeconfig a file; empty: the files in `KUBECONFIG`, or `~/.kube/config`, or as a pod
///   does
/// @param context of the kubeconfig; empty: the current one
public record ClusterAccess(Optional<Path> kubeconfig, Optional<String> context) {
  /// With the current context of a kubeconfig.
  public static ClusterAccess of(Optional<Path> kubeconfig) {
    return new ClusterAccess(kubeconfig, Optional.empty());
  }
}
