package io.keyward.node.program;

import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.node.agent.NodeAgent;
import io.keyward.node.agent.NodeSettings;
import io.keyward.node.host.HostKind;
import io.keyward.node.plugin.PluginAgent;
import io.keyward.serve.ListenFailure;
import io.keyward.serve.ListenSettings;
import io.keyward.serve.ReportServer;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// The node agent: rolls out the revisions of one API server on this node, and checks the plugins
/// of all API servers whose pods a Deployment runs here.
public final class NodeProgram {
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
    if (one.workload() == Workload.STATIC_POD) {
      return settings.files();
    }
    return settings
        .command()
        .orElseThrow(() ->
            new SettingsProblem(
                "say --encryption-config and --restart, or let the workload of "
                    + one.name()
                    + " be staticPod"));
  }

  /// Until interrupted.
  ///
  /// @param log receives one line where health and metrics are served
  /// @throws ClusterFailure if the credentials cannot be used
  /// @throws ListenFailure if health and metrics cannot be served
  public void run(Optional<ListenSettings> listen, Consumer<String> log)
      throws InterruptedException {
    try (var _ = ReportServer.start(listen, metrics, log);
        var cluster = Api.connect(settings.kubeconfig(), Optional.empty());
        var local = Api.connect(settings.kubeconfig(), Optional.of(settings.server()))) {
      List<Thread> threads = pluginsOnly.stream().map(one -> watchPlugins(cluster, one)).toList();
      if (rollout.isPresent()) {
        agent(cluster, local, rollout.orElseThrow()).run();
      }
      for (Thread thread : threads) {
        thread.join();
      }
    }
  }

  private NodeAgent agent(Api cluster, Api local, Rollout here) {
    return new NodeAgent(
        cluster,
        local,
        here.component(),
        new NodeSettings(
            settings.node(), here.place(), settings.patience(), settings.reportInterval()),
        metrics);
  }

  private Thread watchPlugins(Api cluster, Component one) {
    var agent =
        new PluginAgent(
            cluster,
            one,
            settings.node(),
            settings.files().hostRoot(),
            settings.reportInterval(),
            metrics);
    return Thread.ofVirtual()
        .name("plugins of " + one.name())
        .start(() -> {
          try {
            agent.run();
          } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
          }
        });
  }
}
