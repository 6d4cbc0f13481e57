package io.keyward.node;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import io.keyward.kube.Api;
import io.keyward.kube.ClusterFailure;
import io.keyward.kube.Component;
import io.keyward.kube.StatusBody;
import io.keyward.kube.Watches;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Base64;

/// Tries and watches the KMS plugins of this node for an API server that a Deployment brings here.
/// Revisions reach its pods without this agent.
public final class PluginAgent {
  private final Api cluster;
  private final Component component;
  private final StatusBody status;
  private final PluginReporter plugins;
  private final News news = new News(System::nanoTime);
  private JsonNode seen = JsonNodeFactory.instance.objectNode();
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
    this.status = new StatusBody(component);
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
    try (var watches = Watches.ofAgent(cluster, component, news::tell)) {
      news.watchedWhile(watches::isComplete);
      Steps.run(this::step);
    }
  }

  void step() throws InterruptedException {
    news.step(this::step);
  }

  private void step(boolean anew) {
    if (anew) {
      seen =
          cluster
              .get(component.operatorPath())
              .map(status::read)
              .orElseGet(JsonNodeFactory.instance::objectNode);
    }
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
