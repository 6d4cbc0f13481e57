package io.keyward.cli.cluster;

import io.keyward.kube.client.ClusterAccess;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// How to reach a cluster: the options of kubectl.
public class AccessOptions {
  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description =
          "The kubeconfig (default: as kubectl, KUBECONFIG or ~/.kube/config; without one, the"
              + " ServiceAccount of the pod).")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--context",
      paramLabel = "NAME",
      description = "The context of the kubeconfig (default: the current context).")
  private @Nullable String context;

  public ClusterAccess access() {
    return new ClusterAccess(Optional.ofNullable(kubeconfig), Optional.ofNullable(context));
  }
}
