package io.keyward.cli.operator;

import io.keyward.cli.ExitCode;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.cluster.ClusterOptions;
import io.keyward.cli.listen.ListenOptions;
import io.keyward.operator.OperatorConfig;
import io.keyward.operator.OperatorProgram;
import io.keyward.serve.ListenSettings;
import java.io.PrintWriter;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Runs the encryption controllers of a cluster.
@Command(
    name = "operator",
    header = "Run the encryption controllers of a cluster.",
    mixinStandardHelpOptions = true,
    subcommands = {InstallCommand.class, UninstallCommand.class},
    description = {
      "Manages keys, configurations, rollouts and storage migrations as APIServer/cluster requests.",
      "Needs node agents on the control-plane nodes. With several replicas, leader election chooses",
      "the one that acts."
    },
    footer = {
      "",
      "Examples:",
      "  keyward operator install --kubeconfig admin.kubeconfig",
      "  keyward operator --config operator.yaml --kubeconfig operator.kubeconfig",
      "  keyward operator --listen 127.0.0.1:8444",
      "  keyward operator --listen 0.0.0.0:8444 --listen-tls-cert tls.crt --listen-tls-key tls.key \\",
      "      --listen-token-file token",
      "",
      "Exit codes: 0 ended by a signal, 2 could not do it, 64 wrong usage."
    })
public final class OperatorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Mixin private ListenOptions listen = new ListenOptions();

  @Option(
      names = "--plugin-image",
      paramLabel = "IMAGE",
      description =
          "The image of Keyward that runs KMS plugins beside API servers. The member pluginImage of"
              + " the configuration overrides it.")
  private String image = "";

  @Override
  public Integer call() {
    OperatorConfig config = cluster.config().withImage(image);
    Optional<ListenSettings> address = listen.settings(spec.commandLine());
    PrintWriter err = spec.commandLine().getErr();
    return ClusterCall.explained(
        ClusterCall.INSTALL,
        () -> {
          OperatorProgram.runUntilSignal(
              config, cluster.access(), address, line -> err.println("keyward operator: " + line));
          return ExitCode.FINE;
        });
  }
}
