package io.keyward.dev.cluster;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.testbed.dev.DevCluster;
import io.keyward.testbed.dev.DevState;
import java.nio.file.Path;
import java.util.List;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

/// `keyward dev kubeconfig`
@Command(
    name = "kubeconfig",
    header = "Prints the path of a kubeconfig for one API server.",
    footer = {
      "",
      "Examples:",
      "  export KUBECONFIG=$(keyward dev kubeconfig)",
      "  kubectl --kubeconfig $(keyward dev kubeconfig --api-server 1) get secrets"
    })
final class KubeconfigCommand implements Callable<Integer> {
  @Mixin private DevOptions options = new DevOptions();

  @Option(
      names = "--api-server",
      paramLabel = "N",
      description = "Which API server, from 0 on. Default: 0.")
  private int apiServer;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    List<Path> all = options.with(spec.commandLine().getErr(), KubeconfigCommand::kubeconfigs);
    if (apiServer < 0 || apiServer >= all.size()) {
      throw new ParameterException(
          spec.commandLine(), "--api-server takes 0 to " + (all.size() - 1) + " here");
    }
    spec.commandLine().getOut().println(all.get(apiServer));
    return ExitCode.FINE;
  }

  private static List<Path> kubeconfigs(DevCluster cluster) {
    return cluster
        .state()
        .filter(DevState::complete)
        .map(DevState::kubeconfigs)
        .orElseThrow(() ->
            new CommandFailure("there is no cluster in " + cluster.directory(), "keyward dev up"));
  }
}
