package io.keyward.cli.node;

import io.keyward.cli.ExitCode;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.cluster.ClusterOptions;
import io.keyward.cli.listen.ListenOptions;
import io.keyward.node.program.NodeProgram;
import io.keyward.node.program.SettingsProblem;
import io.keyward.operator.OperatorConfig;
import io.keyward.serve.ListenSettings;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// Rolls out revisions on the node it runs on.
@Command(
    name = "node-agent",
    header = "Roll out encryption configurations on a control-plane node.",
    mixinStandardHelpOptions = true,
    subcommands = {
      SetupCommand.class,
      PrepareCommand.class,
      CheckCommand.class,
      RemoveCommand.class
    },
    description = {
      "Writes each new encryption configuration to this node, restarts its API server, waits until",
      "it is ready, and reports. Also checks the KMS plugins of this node. For the workload",
      "kubeadm it adds the configuration to the manifest that kubeadm wrote; for staticPod it writes",
      "the files and the manifest of the pod; for deployment it only checks plugins; otherwise it",
      "writes one file and runs a command."
    },
    footer = {
      "",
      "Examples:",
      "  keyward node-agent --node master-0 --kubeconfig agent.kubeconfig \\",
      "      --server https://127.0.0.1:6443 \\",
      "      --encryption-config /etc/kubernetes/encryption/config.json \\",
      "      -- systemctl restart kube-apiserver",
      "  keyward node-agent --node master-0 --config operator.yaml --host-root /host \\",
      "      --server https://127.0.0.1:6443",
      "",
      "Exit codes: 0 ended by a signal, 2 could not do it, 64 wrong usage."
    })
public final class NodeAgentCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Mixin private NodeOptions options = new NodeOptions();

  @Mixin private ListenOptions listen = new ListenOptions();

  @Override
  public Integer call() {
    Optional<ListenSettings> address = listen.settings(spec.commandLine());
    NodeProgram program = program();
    PrintWriter err = spec.commandLine().getErr();
    return ClusterCall.explained(
        "check --kubeconfig and --server",
        () -> {
          program.runUntilSignal(address, line -> err.println("keyward node-agent: " + line));
          return ExitCode.FINE;
        });
  }

  private NodeProgram program() {
    try {
      OperatorConfig config = cluster.config();
      return new NodeProgram(
          config.apiServers(),
          options.component(),
          options.settings(
              cluster.access(),
              config.settings(),
              spec.commandLine().getParseResult().originalArgs()));
    } catch (SettingsProblem e) {
      throw new ParameterException(spec.commandLine(), e.problem(), e);
    }
  }
}
