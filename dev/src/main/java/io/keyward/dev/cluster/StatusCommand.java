package io.keyward.dev.cluster;

import io.keyward.cli.ExitCode;
import io.keyward.testbed.dev.DevCluster;
import io.keyward.testbed.dev.DevStatus;
import io.keyward.testbed.dev.DevStatus.Health;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// `keyward dev status`
@Command(
    name = "status",
    header = "Shows which servers run and which are ready.",
    description = "Exit code 1 where not all of them are.",
    footer = {"", "Examples:", "  keyward dev status", "  keyward dev status -o json"})
final class StatusCommand implements Callable<Integer> {
  /// How the status is written.
  enum Format {
    table,
    json
  }

  @Mixin private DevOptions options = new DevOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table or json. Default: table.")
  private Format format = Format.table;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    DevStatus status = options.with(spec.commandLine().getErr(), DevCluster::status);
    String text =
        switch (format) {
          case table -> StatusReport.table(status);
          case json -> StatusReport.json(status);
        };
    spec.commandLine().getOut().print(text);
    spec.commandLine().getOut().flush();
    return status.health() == Health.UP ? ExitCode.FINE : ExitCode.FINDINGS;
  }
}
