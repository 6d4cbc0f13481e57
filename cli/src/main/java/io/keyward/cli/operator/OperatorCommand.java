package io.keyward.cli.operator;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.ExitCode;
import io.keyward.kube.ClusterFailure;
import io.keyward.kube.KubeSite;
import io.keyward.kube.Leadership;
import io.keyward.kube.Migrator;
import io.keyward.kube.Watches;
import io.keyward.operator.ControlLoop;
import java.time.InstantSource;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine.Command;
import picocli.CommandLine.Mixin;
import picocli.CommandLine.Model.CommandSpec;
import picocli.CommandLine.Spec;

/// Runs the encryption controllers of a cluster.
@Command(
    name = "operator",
    mixinStandardHelpOptions = true,
    subcommands = InstallCommand.class,
    description = {
      "Makes API servers encrypt as APIServer/cluster asks: keys, configurations, rollout node by",
      "node, migration. Needs node agents on the control-plane nodes. One of several acts."
    },
    footer = {
      "",
      "Examples:",
      "  keyward operator install --kubeconfig admin.kubeconfig",
      "  keyward operator --config operator.yaml --kubeconfig operator.kubeconfig",
      "",
      "Exit codes: 0 ended by a signal, 2 could not do it or lost the lead, 64 wrong usage."
    })
public final class OperatorCommand implements Callable<Integer> {
  @Spec private CommandSpec spec = CommandSpec.create();

  @Mixin private ClusterOptions cluster = new ClusterOptions();

  @Override
  public Integer call() throws InterruptedException {
    OperatorConfig wanted = cluster.config();
    var ended = new CountDownLatch(1);
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
        var _ = new Watches(api, wanted.apiServers(), wake)) {
      var turns =
          new ControlLoop(
              wanted.apiServers().stream()
                  .map(one ->
                      new KubeSite(
                          api, one, wanted.settings(), clock, migrator, KubeSite.Access.ACTS))
                  .toList());
      try (turns;
          var _ =
              new Leadership(
                  api,
                  wanted.apiServers().getFirst().namespace(),
                  "keyward-" + UUID.randomUUID(),
                  () -> {
                    spec.commandLine().getErr().println("keyward operator: leads");
                    loop.set(turns);
                    turns.start();
                  },
                  ended::countDown)) {
        ended.await();
      }
    } catch (ClusterFailure | io.fabric8.kubernetes.client.KubernetesClientException e) {
      throw new CommandFailure(
          String.valueOf(e.getMessage()),
          "check the kubeconfig, and that keyward operator install was run",
          e);
    }
    spec.commandLine().getErr().println("keyward operator: no longer leads");
    return ExitCode.FAILED;
  }
}
