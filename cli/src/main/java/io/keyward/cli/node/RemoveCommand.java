package io.keyward.cli.node;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.cli.cluster.AccessOptions;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.output.Durations;
import io.keyward.node.agent.NodeRemoval;
import java.io.PrintWriter;
import java.io.UncheckedIOException;
import java.time.Duration;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Removes Keyward from a node of kubeadm.
@Command(
    name = "remove",
    header = "Remove Keyward from this node.",
    mixinStandardHelpOptions = true,
    description = {
      "Deletes the static pod of the node agent, removes the encryption configuration from the",
      "manifest of the API server, waits until the API server runs without it, and deletes the",
      "files of Keyward. keyward operator uninstall runs it on every control-plane node, after it",
      "made sure that no data is encrypted."
    },
    footer = {
      "",
      "Examples:",
      "  keyward node-agent remove --kubeconfig /etc/kubernetes/kubelet.conf",
      "",
      "Exit codes: 0 fine, 2 could not do it, 64 wrong usage."
    })
public final class RemoveCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private AccessOptions cluster = new AccessOptions();

  @Mixin private KubeadmOptions node = new KubeadmOptions();

  @Option(
      names = "--patience",
      paramLabel = "TIME",
      converter = Durations.class,
      description = "How long the restart may take (default: 5m).")
  private Duration patience = Duration.ofMinutes(5);

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter err = spec.commandLine().getErr();
    var removal =
        new NodeRemoval(
            node.place(),
            cluster.access(),
            patience,
            line -> err.println("keyward node-agent remove: " + line));
    try {
      return ClusterCall.<Integer, InterruptedException>explained(
          "check the log of the API server, and run this again: it continues",
          () -> {
            removal.run();
            return ExitCode.FINE;
          });
    } catch (UncheckedIOException e) {
      throw new CommandFailure(
          String.valueOf(e.getMessage()), "check the mounted directories and run it as root", e);
    }
  }
}
