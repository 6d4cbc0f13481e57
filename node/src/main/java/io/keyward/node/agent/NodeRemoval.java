package io.keyward.node.agent;

import io.keyward.core.rollout.node.ApiServerProcess;
import io.keyward.core.rollout.node.NodeView;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterAccess;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.node.host.FileTree;
import io.keyward.node.host.HostKind;
import io.keyward.node.host.KubeadmHost;
import io.keyward.node.setup.NodeSetup;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Optional;
import java.util.function.Consumer;

/// Removes Keyward from a node whose data it no longer encrypts.
///
/// The files of the configuration go last: the API server that still runs may need them. Every step
/// may have been done before, so it may be stopped and run again.
public final class NodeRemoval {
  /// All files of Keyward on a node are below it.
  private static final Path HOME = Path.of("/etc/kubernetes/keyward");

  private static final Duration PAUSE = Duration.ofMillis(500);

  private final HostKind.Kubeadm place;
  private final ClusterAccess access;
  private final Duration patience;
  private final Consumer<String> log;

  /// A removal that reports its steps.
  ///
  /// @param log receives one line for each step
  public NodeRemoval(
      HostKind.Kubeadm place, ClusterAccess access, Duration patience, Consumer<String> log) {
    this.place = place;
    this.access = access;
    this.patience = patience;
    this.log = log;
  }

  public void run() throws InterruptedException {
    new NodeSetup(place, log).remove();
    Optional<String> address = KubeadmHost.address(place);
    try (var api = Api.connect(access, address)) {
      var server = new LocalServer(api, System::nanoTime);
      Optional<ApiServerProcess> before = server.look().process();
      if (new KubeadmHost(place).strip()) {
        log.accept("removed the encryption configuration from the manifest of the API server");
        awaitOther(server, before);
      }
    }
    Path home = place.below(HOME);
    if (Files.exists(home)) {
      FileTree.delete(home);
    }
    log.accept("removed");
  }

  private void awaitOther(LocalServer server, Optional<ApiServerProcess> before)
      throws InterruptedException {
    for (long waited = 0; waited < patience.toMillis(); waited += PAUSE.toMillis()) {
      NodeView.Server now = server.look();
      boolean isOther =
          now.process()
              .filter(one -> before.isEmpty() || !one.isSameAs(before.orElseThrow()))
              .isPresent();
      if (isOther && now.ready()) {
        return;
      }
      Thread.sleep(PAUSE);
    }
    throw new ClusterFailure("the API server of this node does not become ready without Keyward");
  }
}
