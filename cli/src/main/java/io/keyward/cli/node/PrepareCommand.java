package io.keyward.cli.node;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.cluster.ClusterOptions;
import io.keyward.node.setup.NodePreparation;
import io.keyward.operator.ClusterConfig;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Prepares a machine for `kubeadm join --control-plane`.
@Command(
    name = "prepare",
    header = "Prepare this machine for kubeadm join --control-plane.",
    mixinStandardHelpOptions = true,
    description = {
      "Writes the encryption configuration that all control-plane nodes use to this machine. Run it",
      "immediately before kubeadm join --control-plane: the API server that kubeadm starts needs",
      "the file before a node agent can run here. Refuses while a rollout is in progress."
    },
    footer = {
      "",
      "Examples:",
      "  keyward node-agent prepare --kubeconfig admin.conf",
      "  kubeadm join api.example.com:6443 --control-plane --token TOKEN",
      "",
      "Exit codes: 0 fine, 2 could not do it, 64 wrong usage."
    })
public final class PrepareCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Mixin private KubeadmOptions node = new KubeadmOptions();

  @Override
  public Integer call() {
    PrintWriter err = spec.commandLine().getErr();
    try {
      return ClusterCall.explained(
          "check --kubeconfig, and run this again before kubeadm join",
          () -> {
            ClusterConfig config =
                cluster
                    .file()
                    .map(ClusterConfig::read)
                    .orElseGet(() -> ClusterConfig.find(cluster.access()));
            var preparation =
                new NodePreparation(node.place(), config.config().apiServers(), cluster.access());
            err.println(
                "keyward node-agent prepare: "
                    + preparation
                        .run()
                        .map(revision ->
                            "wrote revision " + revision + "; run kubeadm join --control-plane now")
                        .orElse("nothing to write: the API servers run without encryption"));
            return ExitCode.FINE;
          });
    } catch (UncheckedIOException e) {
      throw new CommandFailure(
          String.valueOf(e.getMessage()), "check the directory and run it as root", e);
    }
  }
}
