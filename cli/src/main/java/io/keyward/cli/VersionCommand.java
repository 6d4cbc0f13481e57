package io.keyward.cli;

import io.keyward.cli.output.Format;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.IVersionProvider;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `keyward version`, and what `--version` prints. [Main] prints the table without this class.
@Command(
    name = "version",
    mixinStandardHelpOptions = true,
    header = "Print the version, the commit and the JDK.",
    footer = {"", "Examples:", "  keyward version", "  keyward version -o json"})
final class VersionCommand implements Callable<Integer>, IVersionProvider {
  enum Output {
    table,
    json,
    yaml
  }

  @Spec private CommandSpec spec = CommandSpec.create();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table, json or yaml (default: table).")
  private Output output = Output.table;

  @Override
  public Integer call() {
    Version version = Version.current();
    String text =
        switch (output) {
          case table -> version.table();
          case json -> Format.json(version);
          case yaml -> version.yaml();
        };
    spec.commandLine().getOut().print(text);
    return ExitCode.FINE;
  }

  @Override
  public String[] getVersion() {
    return Version.current().table().strip().split("\n", -1);
  }
}
