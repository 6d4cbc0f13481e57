package io.keyward.operator;

import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.install.Installer;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// Creates the resources and RBAC rules that the operator needs for its configuration.
public final class Installation {
  private Installation() {}

  /// Creates the objects that are missing.
  ///
  /// @return the objects that were created
  /// @throws ClusterFailure if the cluster rejects one of them
  public static List<String> run(OperatorConfig config, Optional<Path> kubeconfig) {
    try (var api = Api.connect(kubeconfig, Optional.empty())) {
      return new Installer(api).install(config.apiServers(), config.migrator());
    }
  }
}
