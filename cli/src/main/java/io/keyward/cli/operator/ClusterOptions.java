package io.keyward.cli.operator;

import io.keyward.cli.CommandFailure;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.site.KubeSite;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which cluster, and which of its API servers.
final class ClusterOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "Which API servers there are (default: the kube-apiservers).")
  private @Nullable Path config;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "How to reach the cluster (default: as a pod does).")
  private @Nullable Path kubeconfig;

  OperatorConfig config() {
    return OperatorConfig.read(config);
  }

  Api connect() {
    try {
      return Api.connect(Optional.ofNullable(kubeconfig), Optional.empty());
    } catch (ClusterFailure e) {
      throw new CommandFailure(String.valueOf(e.getMessage()), "check --kubeconfig", e);
    }
  }

  /// One API server, for those who only look.
  static KubeSite reading(Api api, OperatorConfig wanted, Component component) {
    InstantSource clock = InstantSource.system();
    return new KubeSite(
        api,
        component,
        wanted.settings(),
        clock,
        Migrator.of(wanted.migrator(), api, clock, _ -> {}),
        wanted.gates(),
        KubeSite.Access.READS_ONLY);
  }

  static CommandFailure failed(String about, ClusterFailure e) {
    return new CommandFailure(
        about + e.getMessage(),
        "check the kubeconfig, and that keyward operator install was run",
        e);
  }
}
