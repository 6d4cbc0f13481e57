package io.keyward.dev.cluster;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.testbed.dev.DevCluster;
import io.keyward.testbed.dev.DevServer;
import io.keyward.testbed.dev.DevState;
import java.io.PrintWriter;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;
import picocli.CommandLine.Parameters;
import picocli.CommandLine.Spec;

/// `keyward dev logs`
@Command(
    name = "logs",
    header = "Prints the log of one server, or of all of them.",
    footer = {"", "Examples:", "  keyward dev logs kube-apiserver-0", "  keyward dev logs -f"})
final class LogsCommand implements Callable<Integer> {
  private static final Duration PAUSE = Duration.ofMillis(300);

  @Mixin private DevOptions options = new DevOptions();

  @Parameters(
      arity = "0..1",
      paramLabel = "SERVER",
      description = "As keyward dev status names it. Default: all.")
  private @Nullable String server;

  @Option(
      names = {"-f", "--follow"},
      description = "Goes on with what is written from now on, until Ctrl-C.")
  private boolean follow;

  @Spec private CommandSpec spec = CommandSpec.create();

  @Override
  public Integer call() throws InterruptedException {
    PrintWriter out = spec.commandLine().getOut();
    List<LogReader> logs = options.with(spec.commandLine().getErr(), this::chosen);
    logs.forEach(log -> log.printNew(out));
    while (follow) {
      Thread.sleep(PAUSE);
      logs.forEach(log -> log.printNew(out));
    }
    return ExitCode.FINE;
  }

  private List<LogReader> chosen(DevCluster cluster) {
    List<DevServer> all =
        cluster
            .state()
            .map(DevState::servers)
            .orElseThrow(() ->
                new CommandFailure(
                    "there is no cluster in " + cluster.directory(), "keyward dev up"));
    if (server == null) {
      return all.stream().map(one -> new LogReader(one.log(), one.name() + " | ")).toList();
    }
    return List.of(
        all.stream()
            .filter(one -> one.name().equals(server))
            .findFirst()
            .map(one -> new LogReader(one.log(), ""))
            .orElseThrow(() -> unknown(all)));
  }

  private ParameterException unknown(List<DevServer> all) {
    String names = all.stream().map(DevServer::name).collect(Collectors.joining(", "));
    return new ParameterException(
        spec.commandLine(), "there is no server " + server + " here, but " + names);
  }
}
