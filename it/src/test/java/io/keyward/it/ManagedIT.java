package io.keyward.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kms.client.Endpoint;
import io.keyward.kms.client.KmsV2Client;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ApiClient.Answer;
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
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The whole way on real servers: an admin edits one field, and three kube-apiservers that are
/// static pods change their keys node by node while readers and writers go on, and while one part
/// after the other is killed.
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
  private static final String PATH = "/api/v1/namespaces/default/secrets";
  private static final ObjectMapper JSON = new ObjectMapper();

  private final List<AutoCloseable> open = new ArrayList<>();
  private final long begin = System.nanoTime();
  private ManagedCluster cluster;
  private ApiClient admin;

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void everyModeWhileReadersAndWritersGoOnAndPartsAreKilled(@TempDir Path temporary)
      throws Exception {
    cluster =
        new ManagedCluster(
            temporary.resolve("c"), Keyward.HOME, ServerBinaries.ofThisMachine(), this::say);
    open.add(cluster);
    cluster.start();
    admin = cluster.client(0);
    open.add(admin);
    NodePlugin first = cluster.startPlugin("a");
    createSecrets();
    var traffic = new Traffic(cluster);
    open.add(traffic);

    want("{\"type\":\"aescbc\",\"kms\":null}");
    var killer = new Killer(cluster, first, traffic, SEED, KILLS);
    open.add(killer);
    awaitStored(value -> value.startsWith("k8s:enc:aescbc:v1:1:"));
    say("aescbc");

    wantPlugin(first);
    String kek = kek("a");
    awaitStored(value -> value.startsWith("k8s:enc:kms:v2:2_secrets:") && value.contains(kek));
    say("KMS");

    first.rotate();
    awaitStored(value -> value.startsWith("k8s:enc:kms:v2:2_secrets:") && !value.contains(kek));
    String newKek = kek("a");
    assertThat(stored()).allMatch(value -> value.contains(newKek));
    say("rotated");

    // As many moves between two plugins as it takes for all the killing that was asked for.
    NodePlugin now = first;
    NodePlugin other = LONG ? cluster.startPlugin("b") : first;
    for (int serial = 3; LONG && (serial == 3 || !killer.isDone()); serial++) {
      String prefix = "k8s:enc:kms:v2:" + serial + "_secrets:";
      NodePlugin next = now == first ? other : first;
      wantPlugin(next);
      awaitStored(value -> value.startsWith(prefix));
      now = next;
      say("KMS " + now.endpoint() + ", killed " + killer.killed().size());
    }
    want("{\"type\":\"identity\",\"kms\":null}");
    awaitStored(value -> value.startsWith("k8s\0"));
    awaitCondition("Encrypted", "False", "DecryptionCompleted");
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
            + traffic.forgiven()
            + " failed while etcd was down");
    everyNodeRunsTheNewestRevision();
    everySecretIsReadByEveryApiServer();
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

  private void createSecrets() {
    for (int i = 0; i < SECRETS; i++) {
      Answer made =
          admin.post(
              PATH,
              "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s-%d\"},\"data\":{\"word\":\"%s\"}}"
                  .formatted(i, word(i)));
      assertThat(made.isOk()).as(made.body()).isTrue();
    }
  }

  private static String word(int number) {
    return Base64.getEncoder().encodeToString(("tell nobody " + number).getBytes(UTF_8));
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

  private void awaitStored(Predicate<String> wanted) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofSeconds(1))
        .ignoreExceptions()
        .untilAsserted(
            () -> assertThat(stored()).as(this::status).hasSize(SECRETS).allMatch(wanted));
  }

  private String status() {
    return admin.get("/apis/operator.openshift.io/v1/kubeapiservers/cluster").body();
  }

  private void awaitCondition(String type, String status, String reason) {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          JsonNode found = JSON.createObjectNode();
          for (JsonNode one : JSON.readTree(status()).at("/status/conditions")) {
            found = one.path("type").asText().equals(type) ? one : found;
          }
          assertThat(found.path("status").asText() + " " + found.path("reason").asText())
              .as(this::status)
              .isEqualTo(status + " " + reason);
        });
  }

  /// Every value of our secrets, from etcd itself.
  private List<String> stored() throws IOException {
    JsonNode answer =
        JSON.readTree(
            cluster.etcd().ctl("get", "--prefix", "/registry/secrets/default/s-", "-w", "json"));
    var values = new ArrayList<String>();
    for (JsonNode kv : answer.path("kvs")) {
      values.add(new String(kv.path("value").binaryValue(), ISO_8859_1));
    }
    return values;
  }

  private void everySecretIsReadByEveryApiServer() throws IOException {
    for (int node = 0; node < ManagedCluster.NODES; node++) {
      try (var direct = cluster.directClient(node)) {
        JsonNode all = JSON.readTree(direct.get(PATH).body()).path("items");
        int ours = 0;
        for (JsonNode one : all) {
          String name = one.at("/metadata/name").asText();
          if (name.startsWith("s-")) {
            ours++;
            assertThat(one.at("/data/word").asText())
                .isEqualTo(word(Integer.parseInt(name.substring(2))));
          }
        }
        assertThat(ours).isEqualTo(SECRETS);
      }
    }
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
          JsonNode status = JSON.readTree(status()).path("status");
          assertThat(status.path("nodeStatuses"))
              .as(status::toPrettyString)
              .allMatch(node ->
                  node.path("currentRevision").asLong()
                      == status.path("latestAvailableRevision").asLong());
        });
  }

  private void revisionsArePruned() throws IOException {
    long latest = JSON.readTree(status()).at("/status/latestAvailableRevision").asLong();
    assertThat(latest).isGreaterThan(5);
    assertThat(admin.get(revision(latest)).status()).isEqualTo(200);
    assertThat(admin.get(revision(1)).status()).isEqualTo(404);
  }

  private static String revision(long number) {
    return "/api/v1/namespaces/kube-system/secrets/encryption-config-" + number;
  }
}
