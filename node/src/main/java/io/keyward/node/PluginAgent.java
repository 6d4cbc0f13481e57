package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.kube.Api;
import io.keyward.kube.ClusterFailure;
import io.keyward.kube.Component;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;

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
      Duration reportInterval,
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
            reportInterval,
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
    followed.run(this::step);
  }

  void step() throws InterruptedException {
    followed.step(this::step);
  }

  private void step(JsonNode seen, boolean anew) {
    long latest = seen.path("latestAvailableRevision").asLong(0);
    if (latest != revision) {
      config = latest == 0 ? new byte[0] : config(latest);
      revision = latest;
      plugins.hurry();
    }
    if (anew) {
      plugins.answerPreflight();
    }
    plugins.report(seen);
  }

  private byte[] config(long number) {
    String path = component.secrets() + "/" + component.revision(number);
    JsonNode secret =
        cluster.get(path).orElseThrow(() -> new ClusterFailure(path + " is not there yet"));
    return Base64.getDecoder().decode(secret.path("data").path("encryption-config").asText(""));
  }
}
