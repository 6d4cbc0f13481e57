package io.keyward.operator;

import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.pod.KubeadmYaml;
import io.keyward.core.prune.RemovalDecider.Blocker;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterAccess;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.ClusterApi;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.Workload;
import io.keyward.kube.install.Deployed;
import io.keyward.kube.install.InstallPlan;
import io.keyward.kube.install.Installer;
import io.keyward.kube.install.Uninstaller;
import io.keyward.kube.install.UntilAnswered;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.function.Consumer;

/// Installs Keyward on a cluster: resources, RBAC rules, the operator and the node agents.
///
/// @param image of Keyward
/// @param version of Keyward
/// @param replicas of the operator
/// @param clusterServer the URL of the API for node agents; empty: as kubeadm's configuration says
/// @param pluginDirectories directories of nodes in which KMS plugins have their sockets
public record Installation(
    String image,
    String version,
    int replicas,
    Optional<String> clusterServer,
    List<String> pluginDirectories) {
  private static final Duration PATIENCE = Duration.ofMinutes(3);

  public Installation {
    pluginDirectories = List.copyOf(pluginDirectories);
  }

  /// The objects as YAML. The cluster is asked only where the configuration is not known.
  ///
  /// @throws ClusterFailure if the cluster cannot be read
  public String yaml(Optional<ClusterConfig> config, ClusterAccess access) {
    if (config.isPresent()) {
      return plan(config.orElseThrow(), clusterServer.orElse("https://kubernetes.default.svc"))
          .yaml();
    }
    try (var api = Api.connect(access, Optional.empty())) {
      return UntilAnswered.get(() -> plan(api, config)).yaml();
    }
  }

  private InstallPlan plan(ClusterConfig config, String server) {
    boolean isOwn = config.config().apiServers().getFirst().api() == ClusterApi.KEYWARD;
    Optional<Deployed> deployed =
        isOwn
            ? Optional.of(
                new Deployed(image, version, config.text(), replicas, server, pluginDirectories))
            : Optional.empty();
    return InstallPlan.of(config.config().apiServers(), config.config().migrator(), deployed);
  }

  private InstallPlan plan(Api api, Optional<ClusterConfig> config) {
    return plan(config.orElseGet(() -> ClusterConfig.find(api)), server(api));
  }

  /// An agent must reach the cluster while the API server of its own node is down.
  private String server(Api api) {
    return clusterServer
        .or(() ->
            api.get(KubeadmYaml.PATH)
                .map(found -> ObjectMeta.data(found, KubeadmYaml.KEY))
                .flatMap(
                    text -> KubeadmYaml.parse(text).orElseThrow(ClusterFailure::new).endpoint())
                .map(endpoint -> "https://" + endpoint))
        .orElse(api.server());
  }

  /// Removes everything that was installed, and the configuration from the nodes.
  ///
  /// @param log gets one line for each step
  /// @throws ClusterFailure if data still needs a key of Keyward, or the cluster rejects a step
  public void uninstall(
      Optional<ClusterConfig> config, ClusterAccess access, Consumer<String> log) {
    try (var api = Api.connect(access, Optional.empty())) {
      ClusterConfig found =
          config.orElseGet(() -> UntilAnswered.get(() -> ClusterConfig.find(api)));
      Component component = found.config().apiServers().getFirst();
      if (component.workload() != Workload.KUBEADM) {
        throw new ClusterFailure(
            "this cluster was not installed with the workload kubeadm; stop the operator and the"
                + " node agents, remove the flag --encryption-provider-config from the API servers,"
                + " and delete the objects that keyward operator install --dry-run prints");
      }
      var uninstaller = new Uninstaller(api, log);
      InstallPlan plan = plan(found, UntilAnswered.get(() -> server(api)));
      if (UntilAnswered.get(() -> uninstaller.isUnderway(component))) {
        uninstaller.finish(plan, component);
        return;
      }
      awaitRemovable(ClusterReader.of(api, found.config()), log);
      uninstaller.uninstall(plan, component, image);
    }
  }

  /// The last rollouts after a decryption may still be in progress.
  private static void awaitRemovable(ClusterReader reader, Consumer<String> log) {
    long end = System.nanoTime() + PATIENCE.toNanos();
    List<Blocker> blockers = UntilAnswered.get(reader::removalBlockers);
    if (blockers.stream().anyMatch(Blocker::passes)) {
      log.accept("waiting for a rollout to finish");
    }
    while (System.nanoTime() < end && blockers.stream().anyMatch(Blocker::passes)) {
      UntilAnswered.pause();
      blockers = UntilAnswered.get(reader::removalBlockers);
    }
    for (Blocker blocker : blockers) {
      throw new ClusterFailure("nothing was removed: " + blocker.words());
    }
  }

  /// Creates the objects that are missing, and updates those that belong to Keyward.
  ///
  /// @param log gets one line for each object
  /// @throws ClusterFailure if the cluster rejects one of them
  public void install(Optional<ClusterConfig> config, ClusterAccess access, Consumer<String> log) {
    try (var api = Api.connect(access, Optional.empty())) {
      new Installer(api).install(UntilAnswered.get(() -> plan(api, config)), log);
    }
  }
}
