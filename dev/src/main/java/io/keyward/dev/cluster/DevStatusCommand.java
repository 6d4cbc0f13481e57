package io.keyward.dev.cluster;

import io.keyward.cli.ExitCode;
import io.keyward.cli.output.FormatOption;
import io.keyward.testbed.dev.DevCluster;
import io.keyward.testbed.dev.DevStatus;
import io.keyward.testbed.dev.DevStatus.Health;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// `keyward dev status`
@Command(
    name = "status",
    header = "Shows which servers run and which are ready.",
    description = "Exit code 1 where not all of them are.",
    footer = {"", "Examples:", "  keyward dev status", "  keyward dev status -o json"})
final class DevStatusCommand implements Callable<Integer> {
  @Mixin private DevOptions options = new DevOptions();

  @Mixin private FormatOption output = new FormatOption();

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() {
    DevStatus status = options.with(spec.commandLine().getErr(), DevCluster::status);
    output.print(
        spec.commandLine().getOut(),
        () -> StatusReport.table(status),
        () -> StatusReport.document(status));
    return status.health() == Health.UP ? ExitCode.FINE : ExitCode.FINDINGS;
  }
}
