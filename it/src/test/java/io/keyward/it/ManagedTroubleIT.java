package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.Distribution;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.Traffic;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Random;
import java.util.stream.StreamSupport;
import org.awaitility.Awaitility;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What people and machines do to a cluster while it changes its keys, one after the other on one
/// managed cluster, with readers and writers that never rest. By hand with more:
/// `-Dkeyward.it.secrets=2000 -Dkeyward.it.seed=1`.
final class ManagedTroubleIT {
  private static final int SECRETS = Integer.getInteger("keyward.it.secrets", 100);
  private static final long SEED = Long.getLong("keyward.it.seed", 7);
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String KEY = Admin.MANAGED + "/secrets/encryption-key-kube-apiserver-";
  private static final String MATERIAL = "encryption.apiserver.operator.openshift.io-key";
  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/keyward-operator";
  private static final String AESCBC = "{\"type\":\"aescbc\",\"kms\":null}";

  private final Random random = new Random(SEED);
  private final List<AutoCloseable> open = new ArrayList<>();
  private final long begin = System.nanoTime();
  private ManagedCluster cluster;
  private Admin admin;
  private Explained waits;

  @AfterEach
  void stop() throws Exception {
    for (AutoCloseable one : open.reversed()) {
      one.close();
    }
  }

  @Test
  void troubleIsSaidAndNothingIsLost(@TempDir Path temporary) throws Exception {
    open.add(Turn.take());
    cluster =
        new ManagedCluster(
            temporary.resolve("c"), Keyward.HOME, ServerBinaries.ofThisMachine(), this::say);
    open.add(cluster);
    cluster.start();
    admin = new Admin(cluster, SECRETS);
    open.add(admin);
    var traffic = new Traffic(cluster);
    open.add(traffic);
    long operator = cluster.operator().pid();
    waits = new Explained(admin);
    open.add(waits);

    ServerProcess watch = watchStatus();

    theSpecChangesThreeTimesWithinOneRollout();
    whatCannotBeDoneIsRefusedInWords();
    theLeadIsLost();
    aStrangersSecretIsInTheWay();
    aNodeIsReplacedWhileTheNextKeyIsRolledOut();
    oneKeySecretIsDeletedAndAnotherDamaged();

    traffic.stop();
    waits.close();
    say(traffic.reads() + " reads, " + traffic.writes() + " writes");
    assertThat(traffic.failed()).isEmpty();
    assertThat(traffic.reads()).isGreaterThan(100);
    assertThat(waits.unexplained()).isEmpty();
    admin.everySecretIsRead();
    whoWatchedSawItAll(watch);
    assertThat(admin.stored()).allMatch(value -> value.startsWith("k8s:enc:aescbc:v1:2:"));
    assertThat(cluster.operator().pid()).as("the operator was never restarted").isEqualTo(operator);
  }

  private void say(String line) {
    System.err.println("trouble: " + (System.nanoTime() - begin) / 1_000_000_000 + " s: " + line);
  }

  private ServerProcess watchStatus() {
    ServerProcess watch =
        ServerProcess.start(
            new Distribution(Keyward.HOME)
                .launch(
                    "status",
                    cluster.directory().resolve("status.log"),
                    "status",
                    "--watch",
                    "-o",
                    "json",
                    "--config",
                    cluster.config().toString(),
                    "--kubeconfig",
                    cluster.kubeconfig().toString()));
    open.add(watch);
    return watch;
  }

  private static void whoWatchedSawItAll(ServerProcess watch) throws IOException {
    assertThat(watch.isRunning()).isTrue();
    watch.kill();
    String seen = Files.readString(watch.log());
    assertThat(seen.split("(?m)^\\[", -1))
        .as("it is printed when it changes")
        .hasSizeGreaterThan(5);
    assertThat(seen).contains("EncryptionCompleted", "node-new");
  }

  private void pause() throws InterruptedException {
    Thread.sleep(random.nextInt(2_000));
  }

  private void theSpecChangesThreeTimesWithinOneRollout() throws InterruptedException {
    admin.want(AESCBC);
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> admin.operator().at("/status/latestAvailableRevision").asLong() == 1);
    pause();
    admin.want("{\"type\":\"identity\"}");
    pause();
    admin.want("{\"type\":\"aesgcm\"}");
    pause();
    admin.want(AESCBC);
    admin.awaitStored(value -> value.startsWith("k8s:enc:aescbc:v1:1:"));
    admin.awaitCondition("Encrypted", "True", "EncryptionCompleted");
    say("encrypted after three changes of mind");
  }

  private void whatCannotBeDoneIsRefusedInWords() {
    Answer refused = admin.want("{\"type\":\"secretbox\"}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.body()).contains("Unsupported value");
    // The schema knows this type, and this release does not.
    Answer accepted =
        admin.want(
            """
            {"type":"KMS","kms":{"type":"Vault","vault":{
              "kmsPluginImage":"registry.example.com/vault-plugin@sha256:%s",
              "vaultAddress":"https://vault.example.com:8200","vaultKeyPath":"transit/keys/k",
              "authentication":{"type":"AppRole","appRole":{"secret":{"name":"a"}}}}}}
            """
                .formatted("0".repeat(64)));
    assertThat(accepted.isOk()).as(accepted.body()).isTrue();
    admin.awaitCondition(
        "EncryptionKeyControllerDegraded", "True", "InvalidConfiguration", "use type External");
    admin.want(AESCBC);
    admin.awaitCondition("EncryptionKeyControllerDegraded", "False");
    say("an invalid spec was refused in words");
  }

  /// As when the operator's machine slept and another one took over for a while.
  private void theLeadIsLost() {
    JsonNode before = admin.get(LEASE);
    admin.patch(
        LEASE,
        "{\"spec\":{\"holderIdentity\":\"somebody-else\",\"renewTime\":\"%s\"}}"
            .formatted(before.at("/spec/renewTime").asText()));
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> Files.readString(cluster.operator().log()),
            log -> log.contains("no longer leads, and stands again"));
    say("the operator stepped down");
  }

  private void aStrangersSecretIsInTheWay() {
    admin.post(
        Admin.MANAGED + "/secrets",
        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"encryption-key-kube-apiserver-2\"},\"data\":{\"mine\":\"AAAA\"}}");
    admin.rotate("trouble");
    admin.awaitCondition(
        "EncryptionKeyControllerDegraded",
        "True",
        "encryption-key-kube-apiserver-2",
        "an object that is not ours has our name");
    assertThat(admin.get(KEY + "2").at("/data/mine").asText()).isEqualTo("AAAA");
    admin.delete(KEY + "2");
    say("a stranger's secret was left alone");
  }

  private void aNodeIsReplacedWhileTheNextKeyIsRolledOut() throws Exception {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(
            () -> admin.operator().path("status"),
            status ->
                StreamSupport.stream(status.path("nodeStatuses").spliterator(), false)
                    .anyMatch(node ->
                        node.path("targetRevision").asLong()
                            > node.path("currentRevision").asLong()));
    pause();
    open.add(new NodeReplacement(cluster, admin, 2, "node-new"));
    admin.awaitStored(value -> value.startsWith("k8s:enc:aescbc:v1:2:"));
    admin.awaitCondition("Encrypted", "True", "EncryptionCompleted");
    admin.awaitCondition("EncryptionKeyControllerDegraded", "False");
    say("a node was replaced while key 2 came");
  }

  private void oneKeySecretIsDeletedAndAnotherDamaged() throws IOException {
    String lost = material(1);
    String kept = material(2);
    String other = Base64.getEncoder().encodeToString(new byte[32]);
    admin.patch(KEY + "1", "{\"metadata\":{\"finalizers\":null}}");
    admin.delete(KEY + "1");
    admin.patch(KEY + "2", "{\"data\":{\"%s\":\"%s\"}}".formatted(MATERIAL, other));
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> {
          assertThat(material(1)).isEqualTo(lost);
          assertThat(material(2)).isEqualTo(kept);
        });
    admin.patch(KEY + "2", "{\"data\":{\"%s\":\"AAAA\"}}".formatted(MATERIAL));
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(material(2)).isEqualTo(kept));
    admin.awaitCondition("Encrypted", "True", "EncryptionCompleted");
    say("key secrets were put right");
  }

  private String material(int serial) {
    return admin.get(KEY + serial).path("data").path(MATERIAL).asText("none");
  }

  /// Looks all the time whether a state that is not the wanted one is explained.
  private static final class Explained implements AutoCloseable {
    /// Between two looks of the operator nobody can say anything.
    private static final Duration SILENCE = Duration.ofSeconds(20);

    private final Admin admin;
    private final List<String> unexplained = new ArrayList<>();
    private final Thread thread;
    private volatile boolean ended;

    Explained(Admin admin) {
      this.admin = admin;
      this.thread = Thread.ofVirtual().start(this::look);
    }

    private void look() {
      Instant last = Instant.now();
      while (!ended) {
        try {
          JsonNode status = admin.operator().path("status");
          if (isAtRest(status) || isExplained(status)) {
            last = Instant.now();
          } else if (Instant.now().isAfter(last.plus(SILENCE))) {
            unexplained.add(status.toPrettyString());
            last = Instant.now();
          }
          Thread.sleep(500);
        } catch (InterruptedException _) {
          return;
        }
      }
    }

    private static boolean isAtRest(JsonNode status) {
      long latest = status.path("latestAvailableRevision").asLong();
      return latest == 0
          || StreamSupport.stream(status.path("nodeStatuses").spliterator(), false)
              .filter(node -> !node.path("nodeName").asText().equals("node-2"))
              .allMatch(node -> node.path("currentRevision").asLong() == latest);
    }

    /// Something other than "all is well" stands there, with words.
    private static boolean isExplained(JsonNode status) {
      for (JsonNode one : status.path("conditions")) {
        boolean speaks =
            one.path("type").asText().matches(".*(Degraded|Progressing|Waiting)")
                ? one.path("status").asText().equals("True")
                : one.path("type").asText().equals("Encrypted")
                    && one.path("status").asText().equals("False");
        if (speaks && !one.path("message").asText().isEmpty()) {
          return true;
        }
      }
      return false;
    }

    List<String> unexplained() {
      return unexplained;
    }

    @Override
    public void close() {
      ended = true;
      try {
        thread.join();
      } catch (InterruptedException _) {
        Thread.currentThread().interrupt();
      }
    }
  }
}
