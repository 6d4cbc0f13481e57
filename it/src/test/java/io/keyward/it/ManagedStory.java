package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.NodePlugin;
import io.keyward.testbed.Traffic;
import io.keyward.testbed.binary.ServerBinaries;
import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;

/// A cluster of three kube-apiservers that are static pods, with readers and writers on each of
/// them. Operator and node agents have the RBAC rules that are shipped. Servers take long to start,
/// so every rollout of a story serves several proofs.
abstract class ManagedStory {
  static final long SEED = Long.getLong("keyward.it.seed", 7);
  static final Duration PATIENCE = Duration.ofMinutes(6);

  private static final int SECRETS = Integer.getInteger("keyward.it.secrets", 500);

  final List<NodePlugin> started = new ArrayList<>();
  ManagedCluster cluster;
  Admin admin;
  ManagedObjects objects;
  ManagedTroubles troubles;
  Revisions revisions;
  Traffic traffic;

  private final List<AutoCloseable> open = new ArrayList<>();
  private final long begin = System.nanoTime();

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  void begin(Path directory) throws Exception {
    cluster =
        kept(
            new ManagedCluster(
                directory.resolve("c"), Keyward.HOME, ServerBinaries.ofThisMachine(), this::say));
    cluster.start();
    admin = kept(new Admin(cluster));
    troubles = new ManagedTroubles(cluster, admin, SEED);
    objects = new ManagedObjects(cluster, admin.client(), SECRETS);
    objects.create();
    revisions = new Revisions(cluster, admin);
    traffic = kept(new Traffic(cluster));
  }

  /// Nothing was refused or lost on the way, on any API server.
  void everybodyWasServed() throws IOException {
    assertThat(traffic.isServedEverywhere(PATIENCE)).isTrue();
    traffic.stop();
    assertThat(traffic.failed()).isEmpty();
    say(
        traffic.reads()
            + " reads, "
            + traffic.writes()
            + " writes, "
            + traffic.broken()
            + " broken connections, "
            + traffic.patient()
            + " answers with Retry-After, "
            + traffic.forgiven()
            + " failed while etcd was down");
    objects.areReadByEveryApiServer();
  }

  <T extends AutoCloseable> T kept(T one) {
    open.add(one);
    return one;
  }

  void say(String line) {
    System.err.println("managed: " + (System.nanoTime() - begin) / 1_000_000_000 + " s: " + line);
  }

  NodePlugin startPlugin(String name) {
    NodePlugin plugin = cluster.startPlugin(name);
    started.add(plugin);
    return plugin;
  }

  static String kms(int serial) {
    return "k8s:enc:kms:v2:" + serial + "_secrets:";
  }

  String kek(String plugin) {
    Path socket = cluster.nodes().getFirst().sockets().resolve(plugin + ".sock");
    return Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () -> {
              try (var client = new KmsV2Client(new PluginEndpoint(socket))) {
                return client.status(Duration.ofSeconds(5)).keyId();
              }
            },
            id -> !id.isEmpty());
  }

  void awaitStored(Predicate<String> wanted) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(() ->
            assertThat(objects.stored())
                .as(() -> admin.operator().toPrettyString())
                .hasSize(SECRETS)
                .allMatch(wanted));
  }
}
