package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.NodePlugin;
import io.keyward.testbed.pod.NodeRoot;
import java.io.IOException;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.awaitility.Awaitility;

/// What becomes of the plugin of one node, while a KMS is in use.
///
/// No request fails meanwhile. The API server of that node holds the keys of all that is stored in
/// memory. Where its plugin is silent it soon says that it is not ready, and the load balancer
/// sends nobody there; where only the path of the socket is spoilt, its connection stands.
final class PluginTroubles {
  private static final String CONDITION = "KMSPluginDegraded";

  private final ManagedCluster cluster;
  private final Admin admin;
  private final NodePlugin plugin;
  private final NodeRoot node;
  private final NodeRoot other;

  PluginTroubles(ManagedCluster cluster, Admin admin, NodePlugin plugin) {
    this.cluster = cluster;
    this.admin = admin;
    this.plugin = plugin;
    this.node = cluster.nodes().getFirst();
    this.other = cluster.nodes().getLast();
  }

  void oneIsSilent() throws Exception {
    try (var http = HttpClient.newHttpClient()) {
      plugin.process(node).pause();
      try {
        awaitDegraded("silent: no answer within 5 s", "see whether the plugin hangs");
        awaitMetric(http, node, 0);
        awaitMetric(http, other, 1);
      } finally {
        plugin.process(node).resume();
      }
      awaitWell();
      awaitMetric(http, node, 1);
    }
    Awaitility.await().atMost(Duration.ofMinutes(1)).until(() -> cluster.gate().isReady(0));
  }

  void oneHasAFileInPlaceOfItsSocket() throws IOException {
    Path socket = plugin.socket(node);
    Path away = socket.resolveSibling("away");
    Files.move(socket, away);
    Files.createFile(socket);
    try {
      awaitDegraded("is not a socket", "correct the endpoint");
    } finally {
      Files.delete(socket);
      Files.move(away, socket);
    }
    awaitWell();
  }

  private void awaitDegraded(String... words) {
    admin.awaitCondition(CONDITION, "True", words);
    admin.awaitCondition(CONDITION, "True", "on node " + node.name() + " ");
    admin.awaitCondition(CONDITION, "True", " at " + plugin.endpoint());
    assertThat(admin.condition(CONDITION).path("message").asText()).doesNotContain(other.name());
  }

  private void awaitWell() {
    admin.awaitCondition(CONDITION, "False", "all KMS plugins are healthy");
  }

  private void awaitMetric(HttpClient http, NodeRoot where, int healthy) {
    String socket = ",endpoint=\"%s\"}".formatted(plugin.endpoint());
    Awaitility.await()
        .atMost(Duration.ofMinutes(1))
        .untilAsserted(() ->
            assertThat(
                    http.send(
                            HttpRequest.newBuilder(cluster.metrics(where)).build(),
                            BodyHandlers.ofString())
                        .body()
                        .lines()
                        .filter(line -> line.startsWith("kms_plugin_status_healthy{component="))
                        .filter(line -> line.contains(socket)))
                .singleElement()
                .satisfies(line -> assertThat(line).endsWith("} " + healthy + ".0")));
  }
}
