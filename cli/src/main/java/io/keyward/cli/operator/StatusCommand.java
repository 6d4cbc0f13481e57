package io.keyward.cli.operator;

import io.keyward.cli.ExitCode;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.cluster.ClusterOptions;
import io.keyward.cli.output.Format;
import io.keyward.kube.site.StatusView;
import io.keyward.operator.ClusterReader;
import io.keyward.operator.ClusterReader.Readings;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Prints the current keys, nodes, migrations and conditions.
@Command(
    name = "status",
    header = "Show keys, rollouts, migrations and conditions.",
    mixinStandardHelpOptions = true,
    description = {
      "For each API server: keys in use and their age, the rollout node by node, the progress of",
      "storage migrations, and conditions. Writes nothing; reads key secrets."
    },
    footer = {
      "",
      "Examples:",
      "  keyward status --kubeconfig admin.kubeconfig",
      "  keyward status --watch",
      "  keyward status -o json | jq '.[].migrations'",
      "",
      "Exit codes: 0 fine, 1 something is degraded, 2 could not do it, 64 wrong usage."
    })
public final class StatusCommand implements Callable<Integer> {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = {"-o", "--output"},
      paramLabel = "FORMAT",
      description = "table or json. Default: table.")
  private Format format = Format.table;

  @Option(
      names = {"-w", "--watch"},
      description = "Print it again whenever it changes, until interrupted.")
  private boolean watch;

  @Override
  public Integer call() {
    return ClusterCall.explained(
        "check --kubeconfig",
        () -> {
          try (var reader = ClusterReader.connect(cluster.file(), cluster.access())) {
            return watch ? watch(reader) : exitCode(print(reader.status(), ""));
          }
        });
  }

  private int watch(ClusterReader reader) {
    try {
      String printed = "";
      while (true) {
        printed = print(reader.status(), printed).text();
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCode.FINE;
    }
  }

  private record Printed(Readings<StatusView> readings, String text) {}

  /// Prints what differs from the text before.
  private Printed print(Readings<StatusView> readings, String before) {
    String text =
        switch (format) {
          case table -> StatusText.table(readings.read(), Instant.now());
          case json -> Format.json(StatusText.json(readings.read()));
        };
    if (!text.equals(before)) {
      PrintWriter out = spec.commandLine().getOut();
      out.print(text);
      out.flush();
    }
    Unreadable.print(readings.unread(), spec.commandLine().getErr());
    return new Printed(readings, text);
  }

  private static int exitCode(Printed printed) {
    if (!printed.readings().unread().isEmpty()) {
      return ExitCode.FAILED;
    }
    return printed.readings().read().stream().anyMatch(StatusView::isDegraded)
        ? ExitCode.FINDINGS
        : ExitCode.FINE;
  }
}
