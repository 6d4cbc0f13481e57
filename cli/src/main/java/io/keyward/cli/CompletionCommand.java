package io.keyward.cli;

import java.util.concurrent.Callable;
import picocli.AutoComplete;
import picocli.CommandLine;
import picocli.CommandLine.Command;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `keyward completion`
@Command(
    name = "completion",
    mixinStandardHelpOptions = true,
    header = "Print a completion script for a shell.",
    footer = {
      "",
      "Examples:",
      "  source <(keyward completion bash)",
      "  keyward completion zsh > ~/.keyward-completion && source ~/.keyward-completion",
      "  keyward completion fish > ~/.config/fish/completions/keyward.fish"
    })
final class CompletionCommand implements Callable<Integer> {
  enum Shell {
    bash,
    zsh,
    fish
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Parameters(
      arity = "0..1",
      paramLabel = "SHELL",
      description = "bash, zsh or fish (default: bash).")
  private Shell shell = Shell.bash;

  @Override
  public Integer call() {
    CommandLine root = spec.root().commandLine();
    String script =
        switch (shell) {
          // The script detects zsh and loads the emulation of bash completion there.
          case bash, zsh -> AutoComplete.bash("keyward", root);
          case fish -> FishCompletion.script(root);
        };
    spec.commandLine().getOut().println(script);
    return ExitCode.FINE;
  }
}
