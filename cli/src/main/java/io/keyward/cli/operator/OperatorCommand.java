package io.keyward.cli.operator;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.kube.Api;
import io.keyward.kube.ClusterFailure;
import io.keyward.kube.KubeSite;
import io.keyward.kube.Leadership;
import io.keyward.kube.Migrator;
import io.keyward.kube.Watches;
import io.keyward.operator.ControlLoop;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Option;
import picocli.CommandLine.Spec;

/// Runs the encryption controllers of a cluster.
@Command(
    name = "operator",
    header = "Run the encryption controllers of a cluster.",
    mixinStandardHelpOptions = true,
    subcommands = InstallCommand.class,
    description = {
      "Manages keys, configurations, rollouts and storage migrations as APIServer/cluster requests.",
      "Needs node agents on the control-plane nodes. With several replicas, leader election chooses",
      "the one that acts."
    },
    footer = {
      "",
      "Examples:",
      "  keyward operator install --kubeconfig admin.kubeconfig",
      "  keyward operator --config operator.yaml --kubeconfig operator.kubeconfig",
      "  keyward operator --listen 0.0.0.0:8444",
      "",
      "Exit codes: 0 ended by a signal, 2 could not do it, 64 wrong usage."
    })
public final class OperatorCommand implements Callable<Integer> {
  /// Less than what a pod gets for its end.
  private static final Duration LONGEST_END = Duration.ofSeconds(15);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Option(
      names = "--listen",
      paramLabel = "HOST:PORT",
      description = "Serve /metrics and /healthz here, for example 127.0.0.1:8444 (default: not).")
  private @Nullable String listen;

  @Override
  public Integer call() {
    OperatorConfig wanted = cluster.config();
    var ended = new CountDownLatch(1);
    endWithSignals(Thread.currentThread(), ended);
    try {
      operate(wanted);
    } catch (InterruptedException _) {
      say("stopped");
    } finally {
      ended.countDown();
    }
    return ExitCode.FINE;
  }

  /// A signal ends the lead before it ends the process, so that another one need not wait until the
  /// lease is over.
  private static void endWithSignals(Thread working, CountDownLatch ended) {
    Runtime.getRuntime()
        .addShutdownHook(
            new Thread(
                () -> {
                  working.interrupt();
                  try {
                    var _ = ended.await(LONGEST_END.toMillis(), TimeUnit.MILLISECONDS);
                  } catch (InterruptedException _) {
                    Thread.currentThread().interrupt();
                  }
                },
                "step down"));
  }

  private void operate(OperatorConfig wanted) throws InterruptedException {
    var loop = new AtomicReference<@Nullable ControlLoop>();
    Runnable wake =
        () -> {
          ControlLoop running = loop.get();
          if (running != null) {
            running.wake();
          }
        };
    InstantSource clock = InstantSource.system();
    try (var api = cluster.connect();
        var migrator = Migrator.of(wanted.migrator(), api, clock, wake);
        var _ = new Watches(api, wanted.apiServers(), wanted.migrator(), wake)) {
      var metrics = new OperatorMetrics(clock, System::nanoTime, migrator::running);
      try (var _ = MetricsServer.of(listen, spec.commandLine(), metrics)) {
        say("waiting for leader election");
        new Leadership(
                api, wanted.apiServers().getFirst().namespace(), "keyward-" + UUID.randomUUID())
            .run(() -> {
              var turns = new ControlLoop(sites(api, wanted, clock, migrator), metrics);
              loop.set(turns);
              turns.start();
              say("became leader");
              return () -> {
                loop.set(null);
                turns.close();
                migrator.rest();
                metrics.rest();
                say("lost leadership");
              };
            });
      }
    } catch (ClusterFailure | io.fabric8.kubernetes.client.KubernetesClientException e) {
      throw new CommandFailure(
          String.valueOf(e.getMessage()),
          "check the kubeconfig, and that keyward operator install was run",
          e);
    }
  }

  private void say(String what) {
    spec.commandLine().getErr().println("keyward operator: " + what);
  }

  private static List<KubeSite> sites(
      Api api, OperatorConfig wanted, InstantSource clock, Migrator migrator) {
    return wanted.apiServers().stream()
        .map(one ->
            new KubeSite(
                api, one, wanted.settings(), clock, migrator, wanted.gates(), KubeSite.Access.ACTS))
        .toList();
  }
}
