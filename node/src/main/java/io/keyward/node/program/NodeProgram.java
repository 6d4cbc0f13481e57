package io.keyward.node.program;

import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.node.agent.NodeAgent;
import io.keyward.node.agent.NodeSettings;
import io.keyward.node.host.HostKind;
import io.keyward.node.host.KubeadmHost;
import io.keyward.node.plugin.PluginAgent;
import io.keyward.serve.ListenFailure;
import io.keyward.serve.ListenSettings;
import io.keyward.serve.ReportServer;
import io.keyward.serve.StopOnSignal;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.Queue;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;

/// The node agent: rolls out the revisions of one API server on this node, and checks the plugins
/// of all API servers whose pods a Deployment runs here.
public final class NodeProgram {
  private static final Duration CREDENTIALS_CHECK = Duration.ofSeconds(10);

  /// A request to an API server may take as long.
  private static final Duration LONGEST_STEP = Duration.ofSeconds(8);

  private final ProgramSettings settings;
  private final List<Component> pluginsOnly;
  private final Optional<Rollout> rollout;
  private final NodeMetrics metrics = new NodeMetrics();

  /// The API server whose revisions this agent rolls out.
  private record Rollout(Component component, HostKind place) {}

  /// An agent that has not started yet.
  ///
  /// @param configured the API servers of the operator's configuration
  /// @param only the name of the only API server to work for; empty for all
  /// @throws SettingsProblem if the settings do not fit these API servers
  public NodeProgram(List<Component> configured, Optional<String> only, ProgramSettings settings) {
    this.settings = settings;
    List<Component> all =
        configured.stream()
            .filter(one -> only.isEmpty() || one.name().equals(only.orElseThrow()))
            .toList();
    if (all.isEmpty()) {
      throw new SettingsProblem("no API server " + only.orElse("") + " in the configuration");
    }
    pluginsOnly = all.stream().filter(one -> !one.isOnNodes()).toList();
    rollout =
        all.stream()
            .filter(Component::isOnNodes)
            .findFirst()
            .map(one -> new Rollout(one, place(one)));
  }

  private HostKind place(Component one) {
    return switch (one.workload()) {
      case STATIC_POD -> settings.files();
      case KUBEADM -> kubeadm();
      case RESTART_COMMAND, DEPLOYMENT ->
          settings
              .command()
              .orElseThrow(() ->
                  new SettingsProblem(
                      "set --encryption-config and a restart command after --, or set the workload of "
                          + one.name()
                          + " to staticPod or kubeadm"));
    };
  }

  private HostKind.Kubeadm kubeadm() {
    return new HostKind.Kubeadm(settings.files().hostRoot(), settings.files().manifests());
  }

  /// The API server of this node. A manifest of kubeadm names an address that is in its
  /// certificate.
  private String server() {
    return settings
        .server()
        .or(() ->
            rollout
                .filter(one -> one.place() instanceof HostKind.Kubeadm)
                .flatMap(_ -> KubeadmHost.address(kubeadm())))
        .orElseThrow(() ->
            new SettingsProblem("set --server to the address of the API server of this node"));
  }

  /// Runs the node agent until a signal stops this process.
  ///
  /// @param log receives one line where health and metrics are served
  /// @throws ClusterFailure if the credentials cannot be used
  /// @throws ListenFailure if health and metrics cannot be served
  public void runUntilSignal(Optional<ListenSettings> listen, Consumer<String> log) {
    try (var _ = StopOnSignal.install()) {
      run(listen, log);
    } catch (InterruptedException _) {
      log.accept("stopped");
    }
  }

  private void run(Optional<ListenSettings> listen, Consumer<String> log)
      throws InterruptedException {
    var credentials = new CredentialWatch(metrics, log);
    try (var _ = ReportServer.start(listen, metrics, log)) {
      while (true) {
        connected(credentials);
        log.accept("the credentials were renewed");
      }
    }
  }

  /// Until the credentials change, or until interrupted.
  private void connected(CredentialWatch credentials) throws InterruptedException {
    try (var balanced = Api.connect(settings.access(), settings.clusterServer());
        var local = Api.connect(settings.access(), Optional.of(server()))) {
      // A load balancer sends nothing to API servers that are not ready, for example because their
      // KMS is down. That must be reported all the same.
      var cluster = rollout.isPresent() ? balanced.orElse(local) : balanced;
      var work = new ArrayList<Thread>();
      var failure = new ArrayBlockingQueue<RuntimeException>(1);
      for (Component one : pluginsOnly) {
        work.add(start("plugins of " + one.name(), pluginAgent(cluster, one)::run, failure));
      }
      rollout
          .map(one -> start("rollout", agent(cluster, local, one)::run, failure))
          .ifPresent(work::add);
      try {
        while (!cluster.hasStaleCredentials()) {
          cluster.certificateLife().ifPresent(life -> credentials.look(life, Instant.now()));
          RuntimeException failed =
              failure.poll(CREDENTIALS_CHECK.toMillis(), TimeUnit.MILLISECONDS);
          if (failed != null) {
            throw failed;
          }
        }
      } finally {
        for (Thread thread : work) {
          thread.interrupt();
        }
        for (Thread thread : work) {
          joinUninterrupted(thread);
        }
      }
    }
  }

  /// Files of the node are never left half written.
  private static void joinUninterrupted(Thread thread) {
    boolean interrupted = Thread.interrupted();
    try {
      thread.join(LONGEST_STEP);
    } catch (InterruptedException _) {
      interrupted = true;
    }
    if (interrupted) {
      Thread.currentThread().interrupt();
    }
  }

  private interface Work {
    void run() throws InterruptedException;
  }

  /// An agent that fails ends the process, which is then started again.
  private static Thread start(String name, Work work, Queue<RuntimeException> failure) {
    return Thread.ofVirtual()
        .name(name)
        .start(() -> {
          try {
            work.run();
          } catch (InterruptedException _) {
            Thread.currentThread().interrupt();
          } catch (RuntimeException e) {
            failure.offer(e);
          }
        });
  }

  private NodeAgent agent(Api cluster, Api local, Rollout here) {
    return new NodeAgent(
        cluster,
        local,
        here.component(),
        new NodeSettings(settings.node(), here.place(), settings.patience(), settings.timing()),
        metrics);
  }

  private PluginAgent pluginAgent(Api cluster, Component one) {
    return new PluginAgent(
        cluster, one, settings.node(), settings.files().hostRoot(), settings.timing(), metrics);
  }
}
