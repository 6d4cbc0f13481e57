package io.keyward.cli.operator;

import io.keyward.cli.ExitCode;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.cluster.ClusterOptions;
import io.keyward.operator.ClusterReader;
import io.keyward.operator.ClusterReader.Readings;
import io.keyward.operator.Explanation;
import java.io.PrintWriter;
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
      "",
      "Exit codes: 0 fine, 2 could not do it, 64 wrong usage."
    })
public final class ExplainCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Override
  public Integer call() {
    return ClusterCall.explained(
        "check --kubeconfig",
        () -> {
          try (var reader = ClusterReader.connect(cluster.file(), cluster.access())) {
            Readings<Explanation> readings = reader.explain();
            PrintWriter out = spec.commandLine().getOut();
            readings.read().forEach(one -> print(out, one));
            out.flush();
            Unreadable.print(readings.unread(), spec.commandLine().getErr());
            return readings.unread().isEmpty() ? ExitCode.FINE : ExitCode.FAILED;
          }
        });
  }

  private static void print(PrintWriter out, Explanation one) {
    out.println(one.apiServer());
    out.println("  runs: " + one.runs());
    out.println("  next: " + (one.next().isEmpty() ? "nothing, until something changes" : ""));
    one.next().forEach(line -> out.println("    - " + line));
    one.conditions().forEach(line -> out.println("  " + line));
  }
}
