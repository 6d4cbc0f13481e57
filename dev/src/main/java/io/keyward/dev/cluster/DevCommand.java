package io.keyward.dev.cluster;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `keyward dev`, the parent of its subcommands.
@Command(
    name = "dev",
    header = "Run a real control plane on this machine.",
    synopsisSubcommandLabel = "COMMAND",
    description =
        "Runs a real Kubernetes control plane on this machine: etcd, kube-apiservers and the"
            + " controller manager, without nodes; or three nodes under Keyward's operator. The programs are built from source on first"
            + " use.",
    subcommands = {
      UpCommand.class,
      DownCommand.class,
      DevStatusCommand.class,
      KubeconfigCommand.class,
      LogsCommand.class,
      HoldCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  export KUBECONFIG=$(keyward dev up --api-servers 2)",
      "  kubectl get namespaces",
      "  keyward dev status",
      "  keyward dev down",
      "  export KUBECONFIG=$(keyward dev up --managed)"
    })
public final class DevCommand implements Callable<Integer> {
  @Option(
      names = {"-h", "--help"},
      usageHelp = true,
      description = "Shows this help.")
  @SuppressWarnings("UnusedVariable") // picocli acts on it
  private boolean help;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "say which command");
  }
}
