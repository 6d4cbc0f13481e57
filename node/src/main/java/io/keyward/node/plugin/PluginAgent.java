package io.keyward.node.plugin;

import io.keyward.codec.status.OperatorStatus;
import io.keyward.kube.client.Api;
import io.keyward.kube.component.Component;
import io.keyward.node.cluster.FollowedStatus;
import io.keyward.node.cluster.RevisionSource;
import io.keyward.node.host.PluginSource;
import java.nio.file.Path;

/// Tries and watches the KMS plugins of this node for an API server that a Deployment brings here.
/// Revisions reach its pods without this agent.
public final class PluginAgent {
  private final Api cluster;
  private final Component component;
  private final PluginReporter plugins;
  private final FollowedStatus followed;
  private long revision;
  private byte[] config = new byte[0];

  /// An agent for one API server.
  ///
  /// @param hostRoot where this agent sees the node's root directory
  public PluginAgent(
      Api cluster,
      Component component,
      String node,
      Path hostRoot,
      PluginTiming timing,
      PluginObserver observer) {
    this.cluster = cluster;
    this.component = component;
    this.followed = new FollowedStatus(cluster, component, System::nanoTime);
    Path root = hostRoot.toAbsolutePath().normalize();
    this.plugins =
        new PluginReporter(
            cluster,
            component,
            node,
            timing,
            new PluginSource() {
              @Override
              public byte[] config() {
                return config;
              }

              @Override
              public String reach(String endpoint) {
                return PluginSource.reach(root, endpoint);
              }
            },
            observer);
  }

  /// Until interrupted.
  public void run() throws InterruptedException {
    Thread probes = Thread.ofVirtual().name("plugins").start(plugins);
    try {
      followed.run(this::step);
    } finally {
      probes.interrupt();
    }
  }

  void step() throws InterruptedException {
    followed.step(this::step);
  }

  private void step(OperatorStatus seen, boolean anew) {
    long latest = seen.latest();
    if (latest != revision) {
      config = latest == 0 ? new byte[0] : config(latest);
      revision = latest;
      plugins.hurry();
    }
    if (anew) {
      plugins.answerPreflight();
    }
    plugins.follow(seen);
  }

  private byte[] config(long number) {
    return new RevisionSource(cluster, component)
        .config(number)
        .getOrDefault(RevisionSource.CONFIG, new byte[0]);
  }
}
