package io.keyward.cli.cluster;

import io.keyward.cli.CommandFailure;
import io.keyward.operator.ConfigFailure;
import io.keyward.operator.OperatorConfig;
import java.nio.file.Path;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;

/// Which cluster, and which of its API servers.
public final class ClusterOptions extends AccessOptions {
  @Option(
      names = "--config",
      paramLabel = "FILE",
      description =
          "The configuration of the operator (default: the installed one, or the kube-apiservers).")
  private @Nullable Path config;

  public OperatorConfig config() {
    try {
      return OperatorConfig.read(Optional.ofNullable(config));
    } catch (ConfigFailure e) {
      throw new CommandFailure(e.problem(), e.remedy(), e);
    }
  }

  /// The file with the configuration; empty: the installed one.
  public Optional<Path> file() {
    return Optional.ofNullable(config);
  }
}
