package io.keyward.cli.node;

import io.keyward.cli.output.Durations;
import io.keyward.core.model.Settings;
import io.keyward.kube.client.ClusterAccess;
import io.keyward.node.host.HostKind;
import io.keyward.node.plugin.PluginTiming;
import io.keyward.node.program.ProgramSettings;
import io.keyward.node.program.SettingsProblem;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Option;
import picocli.CommandLine.Parameters;

/// Which node this is, and how its API server gets a configuration.
final class NodeOptions {
  // Checked in settings(): a required option would be required by subcommands, too.
  @Option(names = "--node", paramLabel = "NAME", description = "This node. Required.")
  private @Nullable String node;

  @Option(
      names = "--component",
      paramLabel = "NAME",
      description =
          "Only this API server of the configuration (default: the first whose revisions are rolled"
              + " out on nodes, and the plugins of all Deployments).")
  private @Nullable String component;

  @Option(
      names = "--server",
      paramLabel = "URL",
      description =
          "The API server of this node, reached with the same credentials (default for the workload"
              + " kubeadm: the address in its manifest).")
  private @Nullable String server;

  @Option(
      names = "--cluster-server",
      paramLabel = "URL",
      description =
          "The API of the cluster while the API server of this node is down (default: the server in"
              + " the kubeconfig).")
  private @Nullable String clusterServer;

  @Option(
      names = "--encryption-config",
      paramLabel = "FILE",
      description =
          "The file to write the EncryptionConfiguration to: the one that the API server's"
              + " --encryption-provider-config names.")
  private @Nullable Path file;

  @Parameters(
      arity = "0..*",
      paramLabel = "WORD",
      description = "After --: the command that restarts the API server, and its arguments.")
  private List<String> restart = new ArrayList<>();

  @Option(
      names = "--host-root",
      paramLabel = "DIR",
      description = "Where the root directory of the node is mounted (default: /).")
  private Path hostRoot = Path.of("/");

  @Option(
      names = "--resource-dir",
      paramLabel = "DIR",
      description =
          "A path of the node: files of static pods (default:"
              + " /etc/kubernetes/static-pod-resources).")
  private Path resources = Path.of("/etc/kubernetes/static-pod-resources");

  @Option(
      names = "--manifest-dir",
      paramLabel = "DIR",
      description =
          "A path of the node: where the kubelet looks (default: /etc/kubernetes/manifests).")
  private Path manifests = Path.of("/etc/kubernetes/manifests");

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long a restart may take (default: 5m).")
  private Duration patience = Duration.ofMinutes(5);

  @Option(
      names = "--report-interval",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "How often the operator expects a report on the plugins (default: as in --config, or"
              + " 30s).")
  private @Nullable Duration reportInterval;

  @Option(
      names = "--probe-interval",
      paramLabel = "TIME",
      converter = Durations.class,
      description =
          "How often the agent checks the health of the plugins (default: as in --config, or 10s).")
  private @Nullable Duration probeInterval;

  Optional<String> component() {
    return Optional.ofNullable(component);
  }

  /// The settings that the options describe.
  ///
  /// @param configured what the configuration says
  /// @param words the arguments of the command
  /// @throws SettingsProblem if an option is missing
  ProgramSettings settings(ClusterAccess access, Settings configured, List<String> words) {
    if (!restart.isEmpty() && !words.contains("--")) {
      // A misspelt subcommand, or an option without its dashes.
      throw new SettingsProblem(
          "unexpected argument: " + restart.getFirst() + "; write the restart command after --");
    }
    return new ProgramSettings(
        Optional.ofNullable(node)
            .orElseThrow(() -> new SettingsProblem("missing required option: --node=NAME")),
        Optional.ofNullable(server),
        Optional.ofNullable(clusterServer),
        access,
        new HostKind.StaticPod(hostRoot, resources, manifests),
        Optional.ofNullable(file)
            .filter(_ -> !restart.isEmpty())
            .map(target -> new HostKind.Command(target, restart)),
        patience,
        new PluginTiming(
            probeInterval == null ? configured.probeInterval() : probeInterval,
            reportInterval == null ? configured.reportInterval() : reportInterval));
  }
}
