package io.keyward.cli.operator;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.cli.listen.ListenOptions;
import io.keyward.engine.Engine;
import io.keyward.engine.Rhythm;
import io.keyward.engine.SiteId;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.leader.Leadership;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.site.KubeSite;
import io.keyward.kube.site.SiteChanges;
import io.keyward.kube.site.Watches;
import io.keyward.serve.ListenSettings;
import java.io.PrintWriter;
import java.time.Duration;
import java.time.InstantSource;
import java.util.List;
import java.util.Optional;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
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
      "  keyward operator --listen 127.0.0.1:8444",
      "  keyward operator --listen 0.0.0.0:8444 --listen-tls-cert tls.crt --listen-tls-key tls.key \\",
      "      --listen-token-file token",
      "",
      "Exit codes: 0 ended by a signal, 2 could not do it, 64 wrong usage."
    })
public final class OperatorCommand implements Callable<Integer> {
  /// Less than what a pod gets for its end.
  private static final Duration LONGEST_END = Duration.ofSeconds(15);

  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Mixin private ListenOptions listen = new ListenOptions();

  @Override
  public Integer call() {
    OperatorConfig wanted = cluster.config();
    Optional<ListenSettings> address = listen.settings(spec.commandLine());
    var ended = new CountDownLatch(1);
    endWithSignals(Thread.currentThread(), ended);
    try {
      operate(wanted, address);
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
                "release leadership"));
  }

  private void operate(OperatorConfig wanted, Optional<ListenSettings> address)
      throws InterruptedException {
    var leading = new AtomicReference<@Nullable Engine>();
    SiteChanges changes = changes(leading);
    InstantSource clock = InstantSource.system();
    try (var api = cluster.connect();
        var migrator = Migrator.of(wanted.migrator(), api, clock, changes::changed);
        var watches = new Watches(api, wanted.apiServers(), wanted.migrator(), changes)) {
      var metrics = new OperatorMetrics(clock, System::nanoTime, migrator::running);
      PrintWriter err = spec.commandLine().getErr();
      try (var _ = ListenOptions.start(address, metrics, "operator", err)) {
        say("waiting for leader election");
        new Leadership(
                api, wanted.apiServers().getFirst().namespace(), "keyward-" + UUID.randomUUID())
            .run(() -> {
              var engine = new Engine(metrics, Rhythm.DEFAULT);
              leading.set(engine);
              say("became leader");
              sites(api, wanted, clock, migrator)
                  .forEach(site -> engine.add(site.withCaches(watches)));
              return () -> {
                leading.set(null);
                engine.close();
                migrator.rest();
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

  private static SiteChanges changes(AtomicReference<@Nullable Engine> leading) {
    return new SiteChanges() {
      @Override
      public void changed(Component component) {
        Engine engine = leading.get();
        if (engine != null) {
          engine.wake(SiteId.of(component.name()));
        }
      }

      @Override
      public void requested(Component component) {
        Engine engine = leading.get();
        if (engine != null) {
          engine.wakeToLook(SiteId.of(component.name()));
        }
      }
    };
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
