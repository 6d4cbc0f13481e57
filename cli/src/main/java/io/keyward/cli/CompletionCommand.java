package io.keyward.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `keyward completion`
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    header = "Print a completion script for bash and zsh.",
    footer = {"", "Examples:", "  source <(keyward completion)"})
final class CompletionCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    String script = AutoComplete.bash("keyward", spec.root().commandLine());
    spec.commandLine().getOut().println(script);
    return ExitCode.FINE;
  }
}
