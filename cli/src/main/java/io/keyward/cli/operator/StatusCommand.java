package io.keyward.cli.operator;

import io.keyward.cli.ExitCode;
import io.keyward.cli.cluster.ClusterCall;
import io.keyward.cli.cluster.ClusterOptions;
import io.keyward.cli.output.Format;
import io.keyward.cli.output.FormatOption;
import io.keyward.cli.output.Screen;
import io.keyward.cli.output.Terminal;
import io.keyward.core.view.EncryptionVerdict;
import io.keyward.kube.site.StatusView;
import io.keyward.operator.ClusterReader;
import io.keyward.operator.ClusterReader.Readings;
import io.keyward.serve.StopOnSignal;
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
      "Starts with one line that sums up the state. Then, for each API server: keys in use and their",
      "age, the revision, key_id and KMS plugin of each node, the progress of storage migrations, and",
      "conditions. Writes nothing; reads key secrets."
    },
    footer = {
      "",
      "Examples:",
      "  keyward status --kubeconfig admin.kubeconfig",
      "  keyward status --watch",
      "  keyward status -o json | jq '.apiServers[].migrations'",
      "",
      "Exit codes: 0 fine, 1 blocked or degraded, 2 could not do it, 64 wrong usage."
    })
public final class StatusCommand implements Callable<Integer> {
  private static final Duration PAUSE = Duration.ofSeconds(1);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Mixin private FormatOption output = new FormatOption();

  @Option(
      names = {"-w", "--watch"},
      description =
          "Show every change until Ctrl-C: on a terminal in place, otherwise one below the other.")
  private boolean watch;

  @Override
  public Integer call() {
    PrintWriter out = spec.commandLine().getOut();
    PrintWriter err = spec.commandLine().getErr();
    return ClusterCall.explained(
        "check --kubeconfig",
        () -> {
          try (var reader = ClusterReader.connect(cluster.file(), cluster.access())) {
            if (watch) {
              String separator = output.format() == Format.yaml ? "---\n" : "";
              return watch(reader, new Screen(out, err, Terminal.isStandardOutput(), separator));
            }
            Readings<StatusView> readings = reader.status();
            new Screen(out, err, false, "").show(text(readings), problems(readings));
            return exitCode(readings);
          }
        });
  }

  /// Until Ctrl-C.
  private int watch(ClusterReader reader, Screen screen) {
    try (var _ = StopOnSignal.install()) {
      while (true) {
        Readings<StatusView> readings = reader.status();
        if (Thread.interrupted()) {
          // The rest of what was read is missing.
          return ExitCode.FINE;
        }
        screen.show(text(readings), problems(readings));
        Thread.sleep(PAUSE);
      }
    } catch (InterruptedException _) {
      return ExitCode.FINE;
    }
  }

  private String text(Readings<StatusView> readings) {
    return output
        .format()
        .text(() -> StatusText.table(readings, Instant.now()), () -> StatusDocument.of(readings));
  }

  private static String problems(Readings<StatusView> readings) {
    return Unreadable.text(readings.unread());
  }

  private static int exitCode(Readings<StatusView> readings) {
    if (!readings.unread().isEmpty()) {
      return ExitCode.FAILED;
    }
    return StatusText.verdict(readings).state() == EncryptionVerdict.State.BLOCKED
        ? ExitCode.FINDINGS
        : ExitCode.FINE;
  }
}
