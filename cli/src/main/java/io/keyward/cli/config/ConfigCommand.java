package io.keyward.cli.config;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Spec;

@Command(
    name = "config",
    header = "Validate an EncryptionConfiguration as kube-apiserver does.",
    mixinStandardHelpOptions = true,
    subcommands = ValidateCommand.class,
    synopsisSubcommandLabel = "COMMAND",
    footer = {"", "Examples:", "  keyward config validate /etc/kubernetes/encryption.yaml"})
public final class ConfigCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    throw new ParameterException(spec.commandLine(), "say which command: validate");
  }
}
