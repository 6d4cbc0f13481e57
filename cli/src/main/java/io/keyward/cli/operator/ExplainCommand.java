package io.keyward.cli.operator;

import io.keyward.cli.ExitCode;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.cluster.ClusterOptions;
import io.keyward.cli.output.FormatOption;
import io.keyward.operator.ClusterReader;
import io.keyward.operator.ClusterReader.Readings;
import io.keyward.operator.Explanation;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Prints what the operator would do next.
@Command(
    name = "explain",
    header = "Show what the operator does next and what blocks it.",
    mixinStandardHelpOptions = true,
    description = {
      "For each API server: the next steps, what blocks them, since when, and what ends the wait.",
      "Writes nothing; reads key secrets."
    },
    footer = {
      "",
      "Examples:",
      "  keyward explain --kubeconfig admin.kubeconfig",
      "  keyward explain -o json | jq '.apiServers[].next'",
      "",
      "Exit codes: 0 fine, 2 could not do it, 64 wrong usage."
    })
public final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Mixin private FormatOption output = new FormatOption();

  @Override
  public Integer call() {
    return ClusterCall.explained(
        "check --kubeconfig",
        () -> {
          try (var reader = ClusterReader.connect(cluster.file(), cluster.access())) {
            Readings<Explanation> readings = reader.explain();
            output.print(
                spec.commandLine().getOut(),
                () -> ExplanationText.people(readings.read()),
                () -> ExplanationText.programs(readings));
            spec.commandLine().getErr().print(Unreadable.text(readings.unread()));
            spec.commandLine().getErr().flush();
            return readings.unread().isEmpty() ? ExitCode.FINE : ExitCode.FAILED;
          }
        });
  }
}
