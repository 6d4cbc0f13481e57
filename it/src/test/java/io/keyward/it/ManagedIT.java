package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kms.client.Endpoint;
import io.keyward.kms.client.KmsV2Client;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.NodePlugin;
import io.keyward.testbed.Traffic;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.pod.NodeRoot;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BiPredicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole way on real servers: an admin edits one field, and three kube-apiservers that are
/// static pods change their keys node by node, and an aggregated API server that is a Deployment
/// beside them, while readers and writers go on, and while one part after the other is killed.
///
/// With more than five kills also from one KMS to another, again and again. By hand:
/// `-Dkeyward.it.killRounds=50 -Dkeyward.it.secrets=2000 -Dkeyward.it.seed=1`.
final class ManagedIT {
  private static final int SECRETS = Integer.getInteger("keyward.it.secrets", 200);
  private static final int KILLS = Integer.getInteger("keyward.it.killRounds", 5);

  /// More killing than the short story has time for.
  private static final boolean LONG = KILLS > 5;

  private static final long SEED = Long.getLong("keyward.it.seed", 7);
  private static final Duration PATIENCE = Duration.ofMinutes(6);
  private static final List<String> OPERATORS = List.of("kubeapiservers", "openshiftapiservers");
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<AutoCloseable> open = new ArrayList<>();
  private final long begin = System.nanoTime();
  private ManagedCluster cluster;
  private ApiClient admin;
  private ManagedObjects objects;

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void everyModeWhileReadersAndWritersGoOnAndPartsAreKilled(@TempDir Path temporary)
      throws Exception {
    open.add(Turn.take());
    cluster =
        new ManagedCluster(
            temporary.resolve("c"), Keyward.HOME, ServerBinaries.ofThisMachine(), this::say);
    open.add(cluster);
    cluster.start();
    admin = cluster.client(0);
    open.add(admin);
    NodePlugin first = cluster.startPlugin("a");
    objects = new ManagedObjects(cluster, admin, SECRETS);
    objects.create();
    var traffic = new Traffic(cluster);
    open.add(traffic);

    want("{\"type\":\"aescbc\",\"kms\":null}");
    var killer = new Killer(cluster, first, traffic, SEED, KILLS);
    open.add(killer);
    awaitStored((_, value) -> value.startsWith("k8s:enc:aescbc:v1:1:"));
    say("aescbc");

    wantPlugin(first);
    String kek = kek("a");
    awaitStored((kind, value) -> value.startsWith(kms(2, kind)) && value.contains(kek));
    say("KMS");

    first.rotate();
    awaitStored((kind, value) -> value.startsWith(kms(2, kind)) && !value.contains(kek));
    String newKek = kek("a");
    for (String kind : ManagedObjects.KINDS) {
      assertThat(objects.stored(kind)).allMatch(value -> value.contains(newKek));
    }
    say("rotated");

    // As many moves between two plugins as it takes for all the killing that was asked for.
    NodePlugin now = first;
    NodePlugin other = LONG ? cluster.startPlugin("b") : first;
    for (int serial = 3; LONG && (serial == 3 || !killer.isDone()); serial++) {
      int wanted = serial;
      NodePlugin next = now == first ? other : first;
      wantPlugin(next);
      awaitStored((kind, value) -> value.startsWith(kms(wanted, kind)));
      now = next;
      say("KMS " + now.endpoint() + ", killed " + killer.killed().size());
    }
    want("{\"type\":\"identity\",\"kms\":null}");
    awaitStored((kind, value) -> value.startsWith(kind.equals("flunders") ? "{" : "k8s\0"));
    for (String operator : OPERATORS) {
      awaitCondition(operator, "Encrypted", "False", "DecryptionCompleted");
    }
    say("identity, killed " + killer.killed());

    traffic.stop();
    assertThat(killer.killed()).hasSize(KILLS);
    assertThat(traffic.failed()).isEmpty();
    assertThat(traffic.reads()).isGreaterThan(100);
    assertThat(traffic.writes()).isGreaterThan(100);
    say(
        traffic.reads()
            + " reads, "
            + traffic.writes()
            + " writes, "
            + traffic.broken()
            + " broken connections, "
            + traffic.behind()
            + " broken behind a kube-apiserver, "
            + traffic.patient()
            + " answers with Retry-After, "
            + traffic.forgiven()
            + " failed while etcd was down");
    everyNodeRunsTheNewestRevision();
    everyPodRunsTheNewestRevision();
    objects.areReadByEveryApiServer();
    filesAreForTheirOwnerAlone();
    revisionsArePruned();
    Keyward explained =
        Keyward.run(
            "explain",
            "--config",
            cluster.config().toString(),
            "--kubeconfig",
            cluster.kubeconfig().toString());
    assertThat(explained.out()).as(explained.err()).contains("DecryptionCompleted");
  }

  private void say(String line) {
    System.err.println("managed: " + (System.nanoTime() - begin) / 1_000_000_000 + " s: " + line);
  }

  private static String kms(int serial, String kind) {
    return "k8s:enc:kms:v2:" + serial + "_" + kind + ":";
  }

  /// The admin's own request may meet an API server that was just killed.
  private void want(String encryption) throws IOException {
    ObjectNode patch = JSON.createObjectNode();
    patch.putObject("spec").set("encryption", JSON.readTree(encryption));
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(() ->
            admin
                .mergePatch("/apis/config.openshift.io/v1/apiservers/cluster", patch.toString())
                .isOk());
  }

  private void wantPlugin(NodePlugin plugin) throws IOException {
    want(
        "{\"type\":\"KMS\",\"kms\":{\"type\":\"External\",\"external\":{\"endpoint\":\"%s\"}}}"
            .formatted(plugin.endpoint()));
  }

  private String kek(String plugin) {
    Path socket = cluster.nodes().getFirst().sockets().resolve(plugin + ".sock");
    return Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () -> {
              try (var client = new KmsV2Client(new Endpoint(socket))) {
                return client.status(Duration.ofSeconds(5)).keyId();
              }
            },
            id -> !id.isEmpty());
  }

  /// Of every kind, whichever comes first.
  private void awaitStored(BiPredicate<String, String> wanted) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(() -> {
          for (String kind : ManagedObjects.KINDS) {
            assertThat(objects.stored(kind))
                .as(this::status)
                .hasSize(objects.count(kind))
                .allMatch(value -> wanted.test(kind, value));
          }
        });
  }

  private String status() {
    return status("kubeapiservers") + status("openshiftapiservers");
  }

  private String status(String operator) {
    return admin.get("/apis/operator.openshift.io/v1/" + operator + "/cluster").body();
  }

  private void awaitCondition(String operator, String type, String status, String reason) {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          JsonNode found = JSON.createObjectNode();
          for (JsonNode one : JSON.readTree(status(operator)).at("/status/conditions")) {
            found = one.path("type").asText().equals(type) ? one : found;
          }
          assertThat(found.path("status").asText() + " " + found.path("reason").asText())
              .as(this::status)
              .isEqualTo(status + " " + reason);
        });
  }

  private void filesAreForTheirOwnerAlone() throws IOException {
    for (NodeRoot node : cluster.nodes()) {
      var files = new ArrayList<Path>();
      files.add(node.manifests().resolve("kube-apiserver.yaml"));
      Path resources = node.at(Path.of("/etc/kubernetes/static-pod-resources"));
      try (var all = Files.walk(resources)) {
        all.filter(Files::isRegularFile).forEach(files::add);
      }
      try (var revisions = Files.list(resources)) {
        assertThat(revisions).as("the present one and the one before").hasSize(2);
      }
      for (Path file : files) {
        assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
            .isEqualTo("rw-------");
      }
    }
  }

  /// Old keys leave in one more revision, after all is stored as it was asked for.
  private void everyNodeRunsTheNewestRevision() {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          JsonNode status = JSON.readTree(status("kubeapiservers")).path("status");
          assertThat(status.path("nodeStatuses"))
              .as(status::toPrettyString)
              .allMatch(node ->
                  node.path("currentRevision").asLong()
                      == status.path("latestAvailableRevision").asLong());
        });
  }

  private void everyPodRunsTheNewestRevision() {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          String latest =
              JSON.readTree(status("openshiftapiservers"))
                  .at("/status/latestAvailableRevision")
                  .asText();
          JsonNode pods =
              JSON.readTree(admin.get("/api/v1/namespaces/wardle/pods").body()).path("items");
          assertThat(pods).as(this::status).hasSize(2);
          assertThat(pods)
              .allMatch(pod -> pod.at("/metadata/labels/revision").asText().equals(latest));
        });
  }

  private void revisionsArePruned() throws IOException {
    long latest =
        JSON.readTree(status("kubeapiservers")).at("/status/latestAvailableRevision").asLong();
    assertThat(latest).isGreaterThan(5);
    assertThat(admin.get(revision(latest)).status()).isEqualTo(200);
    assertThat(admin.get(revision(1)).status()).isEqualTo(404);
  }

  private static String revision(long number) {
    return "/api/v1/namespaces/kube-system/secrets/encryption-config-" + number;
  }
}
