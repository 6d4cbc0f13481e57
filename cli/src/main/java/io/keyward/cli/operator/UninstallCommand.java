package io.keyward.cli.operator;

import io.keyward.cli.ExitCode;
import io.keyward.cli.Version;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.cluster.ClusterOptions;
import io.keyward.operator.ClusterConfig;
import io.keyward.operator.Installation;
import java.io.PrintWriter;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Removes Keyward from a cluster.
@Command(
    name = "uninstall",
    header = "Remove the operator and the node agents from a cluster.",
    mixinStandardHelpOptions = true,
    description = {
      "Removes the operator, then the encryption configuration from one node after the other, each",
      "with a restart of its API server, then all objects of Keyward, the key secrets included.",
      "Refuses while data may be encrypted with one of these keys."
    },
    footer = {
      "",
      "Examples:",
      "  kubectl patch clusterencryption cluster --type merge \\",
      "      -p '{\"spec\":{\"encryption\":{\"type\":\"identity\",\"kms\":null}}}'",
      "  keyward operator uninstall",
      "",
      "Exit codes: 0 fine, 2 could not do it, 64 wrong usage."
    })
public final class UninstallCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--image",
      paramLabel = "NAME",
      description = "The image of Keyward (default: the image of this version).")
  private @Nullable String image;

  @Override
  public Integer call() {
    String version = Version.current().version();
    var installation =
        new Installation(
            Optional.ofNullable(image).orElse("localhost/keyward:" + version),
            version,
            1,
            Optional.empty(),
            List.of());
    PrintWriter out = spec.commandLine().getOut();
    return ClusterCall.explained(
        "check the kubeconfig and its permissions, and run this again: it continues",
        () -> {
          installation.uninstall(
              cluster.file().map(ClusterConfig::read),
              cluster.access(),
              line -> {
                out.println(line);
                out.flush();
              });
          return ExitCode.FINE;
        });
  }
}
