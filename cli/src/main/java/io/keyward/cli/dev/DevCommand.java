package io.keyward.cli.dev;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `keyward dev`, the parent of its five subcommands.
@Command(
    name = "dev",
    mixinStandardHelpOptions = true,
    synopsisSubcommandLabel = "COMMAND",
    description = {
      "Runs a real Kubernetes control plane on this machine: etcd, kube-apiservers and the",
      "controller manager, without nodes. The programs are built from source on first use."
    },
    subcommands = {
      UpCommand.class,
      DownCommand.class,
      StatusCommand.class,
      KubeconfigCommand.class,
      LogsCommand.class
    },
    footer = {
      "",
      "Examples:",
      "  export KUBECONFIG=$(keyward dev up --api-servers 2)",
      "  kubectl get namespaces",
      "  keyward dev status",
      "  keyward dev down"
    })
public final class DevCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "say which command");
  }
}
