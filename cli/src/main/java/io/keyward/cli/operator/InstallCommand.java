package io.keyward.cli.operator;

import io.keyward.cli.ExitCode;
import io.keyward.cli.Version;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.cluster.ClusterOptions;
import io.keyward.kube.component.Workload;
import io.keyward.operator.ClusterConfig;
import io.keyward.operator.Installation;
import java.io.PrintWriter;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Installs Keyward on a cluster.
@Command(
    name = "install",
    header = "Install the operator and the node agents on a cluster.",
    mixinStandardHelpOptions = true,
    description = {
      "Creates the resource definitions, namespaces, accounts and RBAC rules, the Deployment of the",
      "operator and, on a cluster of kubeadm, the node agents. Run it again to upgrade: objects of",
      "Keyward are updated, your ClusterEncryption is not. The nodes need the image of Keyward. Run",
      "it as cluster admin.",
      "",
      "On a cluster with the resources of OpenShift it creates resources, accounts and RBAC rules",
      "only; start the operator and the node agents yourself."
    },
    footer = {
      "",
      "Examples:",
      "  keyward operator install",
      "  keyward operator install --image registry.example.com/keyward:0.1.0 --replicas 3",
      "  keyward operator install --dry-run --workload kubeadm > keyward.yaml",
      "",
      "Exit codes: 0 fine, 2 could not do it, 64 wrong usage."
    })
public final class InstallCommand implements Callable<Integer> {
  private static final List<String> PLUGIN_DIRECTORIES = List.of("/var/run/kmsplugin");

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--image",
      paramLabel = "NAME",
      description = "The image of Keyward (default: the image of this version).")
  private @Nullable String image;

  @Option(
      names = "--replicas",
      paramLabel = "N",
      description = "Replicas of the operator (default: 2).")
  private int replicas = 2;

  @Option(
      names = "--workload",
      paramLabel = "KIND",
      description =
          "How kube-apiservers run: kubeadm or restartCommand (default: found out from the cluster).")
  private @Nullable String workload;

  @Option(
      names = "--cluster-server",
      paramLabel = "URL",
      description =
          "The API of the cluster for node agents (default: controlPlaneEndpoint of kubeadm).")
  private @Nullable String clusterServer;

  @Option(
      names = "--plugin-dir",
      paramLabel = "DIR",
      description =
          "A directory of the nodes with sockets of KMS plugins; may be repeated (default:"
              + " /var/run/kmsplugin).")
  private List<String> pluginDirectories = new ArrayList<>();

  @Option(names = "--dry-run", description = "Print the objects as YAML and change nothing.")
  private boolean dryRun;

  @Override
  public Integer call() {
    String version = Version.current().version();
    var installation =
        new Installation(
            Optional.ofNullable(image).orElse("localhost/keyward:" + version),
            version,
            replicas,
            Optional.ofNullable(clusterServer),
            pluginDirectories.isEmpty() ? PLUGIN_DIRECTORIES : pluginDirectories);
    PrintWriter out = spec.commandLine().getOut();
    try {
      return ClusterCall.explained(
          "check the kubeconfig and its permissions",
          () -> {
            if (dryRun) {
              out.print(installation.yaml(config(), cluster.access()));
            } else {
              installation.install(config(), cluster.access(), out::println);
            }
            out.flush();
            return ExitCode.FINE;
          });
    } catch (IllegalArgumentException e) {
      throw new ParameterException(spec.commandLine(), String.valueOf(e.getMessage()), e);
    }
  }

  /// Where it is given, the cluster is not asked.
  private Optional<ClusterConfig> config() {
    if (workload == null) {
      return cluster.file().map(ClusterConfig::read);
    }
    if (cluster.file().isPresent()) {
      throw new ParameterException(spec.commandLine(), "use --config or --workload, not both");
    }
    return Optional.of(
        Stream.of(Workload.KUBEADM, Workload.RESTART_COMMAND)
            .filter(one -> one.word().equals(workload))
            .findFirst()
            .map(ClusterConfig::of)
            .orElseThrow(() ->
                new ParameterException(
                    spec.commandLine(), "--workload is kubeadm or restartCommand")));
  }
}
