package io.keyward.cli.operator;

import io.keyward.cli.ExitCode;
import io.keyward.cli.output.Format;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.site.StatusView;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Callable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// What is so now: keys, nodes, migrations, conditions. Reads only.
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
    OperatorConfig wanted = cluster.config();
    PrintWriter out = spec.commandLine().getOut();
    try (var api = cluster.connect()) {
      String printed = "";
      while (true) {
        var seen = new ArrayList<StatusView>();
        Optional<ClusterFailure> failure = look(api, wanted, seen);
        String text =
            switch (format) {
              case table -> StatusText.table(seen, Instant.now());
              case json -> Format.json(StatusText.json(seen));
            };
        if (!text.equals(printed)) {
          out.print(text);
          out.flush();
          printed = text;
        }
        if (!watch) {
          if (failure.isPresent()) {
            // Each one is printed already, with the API server it is about.
            return ExitCode.FAILED;
          }
          return seen.stream()
                  .flatMap(view -> view.site().conditions().stream())
                  .anyMatch(StatusText::isDegraded)
              ? ExitCode.FINDINGS
              : ExitCode.FINE;
        }
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
      return ExitCode.FINE;
    }
  }

  /// One API server that cannot be looked at does not hide the others. While API servers restart
  /// there are moments in which none answers.
  private Optional<ClusterFailure> look(Api api, OperatorConfig wanted, List<StatusView> seen) {
    Optional<ClusterFailure> failure = Optional.empty();
    for (Component one : wanted.apiServers()) {
      try {
        seen.add(ClusterOptions.reading(api, wanted, one).view());
      } catch (ClusterFailure e) {
        spec.commandLine()
            .getErr()
            .println(ClusterOptions.failed(one.name() + ": ", e).explanation());
        failure = Optional.of(e);
      }
    }
    return failure;
  }
}
