package io.keyward.cli.node;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.cli.listen.ListenOptions;
import io.keyward.cli.operator.OperatorConfig;
import io.keyward.cli.output.Durations;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.node.agent.NodeAgent;
import io.keyward.node.agent.NodeSettings;
import io.keyward.node.host.HostKind;
import io.keyward.node.plugin.PluginAgent;
import io.keyward.serve.ListenSettings;
import java.io.PrintWriter;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Carries revisions onto the node it runs on.
@Command(
    name = "node-agent",
    header = "Roll out encryption configurations on a control-plane node.",
    mixinStandardHelpOptions = true,
    description = {
      "Writes each new encryption configuration to this node, restarts its API server, waits until",
      "it is ready, and reports. Also checks the KMS plugins of this node. For the workload",
      "staticPod it writes the files and the manifest of the pod; for deployment it only checks",
      "plugins; otherwise it writes one file and runs a command."
    },
    footer = {
      "",
      "Examples:",
      "  keyward node-agent --node master-0 --kubeconfig agent.kubeconfig \\",
      "      --server https://127.0.0.1:6443 \\",
      "      --encryption-config /etc/kubernetes/encryption/config.json \\",
      "      --restart systemctl --restart restart --restart kube-apiserver",
      "  keyward node-agent --node master-0 --config operator.yaml --host-root /host \\",
      "      --server https://127.0.0.1:6443",
      "",
      "Exit codes: 0 ended by a signal, 2 could not do it, 64 wrong usage."
    })
public final class NodeAgentCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(names = "--node", required = true, paramLabel = "NAME", description = "This node.")
  private String node = "";

  @Option(
      names = "--config",
      paramLabel = "FILE",
      description = "The operator's configuration (default: the kube-apiservers).")
  private @Nullable Path config;

  @Option(
      names = "--component",
      paramLabel = "NAME",
      description =
          "Only this API server of that configuration (default: the first whose revisions are"
              + " brought to nodes, and the plugins of all Deployments).")
  private @Nullable String component;

  @Option(
      names = "--kubeconfig",
      paramLabel = "FILE",
      description = "How to reach the cluster (default: as a pod does).")
  private @Nullable Path kubeconfig;

  @Option(
      names = "--server",
      required = true,
      paramLabel = "URL",
      description = "The API server of this node, reached with the same credentials.")
  private String server = "";

  @Option(
      names = "--encryption-config",
      paramLabel = "FILE",
      description = "What that API server's --encryption-provider-config names.")
  private @Nullable Path file;

  @Option(
      names = "--restart",
      paramLabel = "WORD",
      description = "The command that restarts it; once for each word.")
  private List<String> restart = new ArrayList<>();

  @Option(
      names = "--host-root",
      paramLabel = "DIR",
      description = "Where the node's root directory is to be seen (default: /).")
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
      description = "How often plugins are asked for their health (default: 30s).")
  private Duration reportInterval = Duration.ofSeconds(30);

  @Mixin private ListenOptions listen = new ListenOptions();

  @Override
  public Integer call() throws InterruptedException {
    Optional<ListenSettings> address = listen.settings(spec.commandLine());
    List<Component> wanted =
        OperatorConfig.read(config).apiServers().stream()
            .filter(one -> component == null || one.name().equals(component))
            .toList();
    if (wanted.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(), "no API server " + component + " in the configuration");
    }
    // What is brought here is one API server; of all others this node has at most plugins.
    Optional<Component> here = wanted.stream().filter(Component::isOnNodes).findFirst();
    Optional<HostKind> place = here.map(this::place);
    var metrics = new NodeMetrics();
    PrintWriter err = spec.commandLine().getErr();
    try (var _ = ListenOptions.start(address, metrics, "node-agent", err);
        var cluster = Api.connect(Optional.ofNullable(kubeconfig), Optional.empty());
        var local = Api.connect(Optional.ofNullable(kubeconfig), Optional.of(server))) {
      List<Thread> threads =
          wanted.stream()
              .filter(one -> !one.isOnNodes())
              .map(one -> new PluginAgent(cluster, one, node, hostRoot, reportInterval, metrics))
              .map(one -> Thread.ofVirtual().start(() -> quietly(one)))
              .toList();
      if (here.isPresent()) {
        new NodeAgent(
                cluster,
                local,
                here.orElseThrow(),
                new NodeSettings(node, place.orElseThrow(), patience, reportInterval),
                metrics)
            .run();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    } catch (ClusterFailure e) {
      throw new CommandFailure(
          String.valueOf(e.getMessage()), "check --kubeconfig and --server", e);
    }
    return ExitCode.FINE;
  }

  private static void quietly(PluginAgent agent) {
    try {
      agent.run();
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private HostKind place(Component one) {
    if (one.workload() == Workload.STATIC_POD) {
      return new HostKind.StaticPod(hostRoot, resources, manifests);
    }
    Path target = file;
    if (target == null || restart.isEmpty()) {
      throw new ParameterException(
          spec.commandLine(),
          "say --encryption-config and --restart, or let the workload of "
              + one.name()
              + " be staticPod");
    }
    return new HostKind.Command(target, restart);
  }
}
