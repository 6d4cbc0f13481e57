package io.keyward.cli;

import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `keyward version`, and what `--version` prints.
@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    header = "Print the version.",
    footer = {"", "Examples:", "  keyward version"})
final class VersionCommand implements Callable<Integer>, IVersionProvider {
  private static final String VERSION = "keyward 0.1.0-SNAPSHOT";

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    spec.commandLine().getOut().println(VERSION);
    return ExitCode.FINE;
  }

  @Override
  public String[] getVersion() {
    return new String[] {VERSION};
  }
}
