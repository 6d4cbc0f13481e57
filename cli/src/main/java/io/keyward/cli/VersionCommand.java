package io.keyward.cli;

import io.keyward.cli.output.FormatOption;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `keyward version`, and what `--version` prints. [Main] prints the table without this class.
@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    header = "Print the version, the commit and the JDK.",
    footer = {"", "Examples:", "  keyward version", "  keyward version -o json"})
final class VersionCommand implements Callable<Integer>, IVersionProvider {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private FormatOption output = new FormatOption();

  @Override
  public Integer call() {
    Version version = Version.current();
    output.print(spec.commandLine().getOut(), version::table, version::document);
    return ExitCode.FINE;
  }

  @Override
  public String[] getVersion() {
    return Version.current().table().strip().split("\n", -1);
  }
}
