package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.process.ServerProcess;
import java.io.IOException;
import java.nio.file.Files;
import java.time.Duration;
import java.util.Base64;
import java.util.Random;
import org.awaitility.Awaitility;

/// What people and machines do to a cluster. All of it is said somewhere, and nothing is lost.
final class ManagedTroubles {
  private static final Duration PATIENCE = Duration.ofMinutes(3);
  private static final String AESCBC = "{\"type\":\"aescbc\",\"kms\":null}";
  private static final String KEY = Admin.MANAGED + "/secrets/encryption-key-kube-apiserver-";
  private static final String PREFIX = "encryption.apiserver.operator.openshift.io";
  private static final String MATERIAL = PREFIX + "-key";
  private static final String KMS = PREFIX + "-kms-encryption-config";
  private static final String RBAC = "/apis/rbac.authorization.k8s.io/v1";
  private static final String LEASE =
      "/apis/coordination.k8s.io/v1/namespaces/kube-system/leases/keyward-operator";

  private final ManagedCluster cluster;
  private final Admin admin;
  private final Random random;

  ManagedTroubles(ManagedCluster cluster, Admin admin, long seed) {
    this.cluster = cluster;
    this.admin = admin;
    this.random = new Random(seed);
  }

  /// At a moment that a seed decides.
  void pause() throws InterruptedException {
    Thread.sleep(random.nextInt(2_000));
  }

  void theSpecChangesThreeTimesWithinOneRollout() throws InterruptedException {
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
  }

  void whatCannotBeDoneIsRefusedInWords() {
    Answer refused = admin.ask("{\"type\":\"rot13\"}");
    assertThat(refused.status()).isEqualTo(422);
    assertThat(refused.body()).contains("Unsupported value");
    // The schema knows this type, and this release does not.
    Answer accepted =
        admin.ask(
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
  }

  /// First the right to look and to say so in a condition, then one of many. The remedy that is
  /// named is what puts both right.
  void rightsAreMissing() {
    assertThat(log()).as("what is shipped is enough").doesNotContain(" 403");
    admin.delete(RBAC + "/clusterrolebindings/keyward-operator");
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions()
        .untilAsserted(() -> {
          admin.touch();
          assertThat(admin.get(Admin.SYSTEM + "/events").path("items"))
              .anySatisfy(event ->
                  assertThat(event.path("reason").asText() + ": " + event.path("message").asText())
                      .startsWith("EncryptionControllerDegraded: ")
                      .contains("kubeapiservers", "403", "keyward operator install"));
        });
    assertThat(log()).contains("no turn possible", "403", "keyward operator install");
    install();
    admin.patch(
        RBAC + "/namespaces/openshift-config-managed/roles/keyward-operator", "{\"rules\":[]}");
    admin.pressForCondition(
        "EncryptionControllerDegraded",
        "True",
        "openshift-config-managed/secrets",
        "403",
        "keyward operator install");
    install();
    admin.pressForCondition("EncryptionControllerDegraded", "False");
  }

  private void install() {
    Keyward made =
        Keyward.run(
            "operator",
            "install",
            "--config",
            cluster.config().toString(),
            "--kubeconfig",
            cluster.kubeconfig().toString());
    assertThat(made.exitCode()).as(made.err()).isZero();
  }

  private String log() {
    return text(cluster.operator());
  }

  private static String text(ServerProcess process) {
    try {
      return Files.readString(process.log());
    } catch (IOException e) {
      throw new AssertionError(e);
    }
  }

  void aKeySecretIsDeletedAndDamaged() {
    String kept = data(1, MATERIAL);
    String other = Base64.getEncoder().encodeToString(new byte[32]);
    admin.patch(KEY + "1", "{\"metadata\":{\"finalizers\":null}}");
    admin.delete(KEY + "1");
    awaitData(1, MATERIAL, kept);
    for (String wrong : new String[] {other, "AAAA"}) {
      admin.patch(KEY + "1", "{\"data\":{\"%s\":\"%s\"}}".formatted(MATERIAL, wrong));
      awaitData(1, MATERIAL, kept);
    }
    admin.awaitCondition("Encrypted", "True", "EncryptionCompleted");
  }

  /// One that a KMS keeps.
  void theSecretOfAKmsKeyIsDamaged(int serial) {
    String kept = data(serial, KMS);
    admin.patch(KEY + serial, "{\"data\":{\"%s\":null}}".formatted(KMS));
    awaitData(serial, KMS, kept);
  }

  private String data(int serial, String member) {
    return admin.get(KEY + serial).path("data").path(member).asText("none");
  }

  private void awaitData(int serial, String member, String wanted) {
    assertThat(wanted).isNotEqualTo("none");
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> assertThat(data(serial, member)).isEqualTo(wanted));
  }

  /// As when the operator's machine slept and another one took over for a while.
  void theLeadIsLost() {
    JsonNode before = admin.get(LEASE);
    admin.patch(
        LEASE,
        "{\"spec\":{\"holderIdentity\":\"somebody-else\",\"renewTime\":\"%s\"}}"
            .formatted(before.at("/spec/renewTime").asText()));
    Awaitility.await().atMost(PATIENCE).until(() -> log().contains("lost leadership"));
    awaitLead(cluster.operator(), 2);
  }

  /// A leader that is told to stop releases its lease, so that nobody waits for it to expire.
  void theLeadIsHandedOver() {
    ServerProcess second = cluster.startSecondOperator();
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> text(second).contains("waiting for leader election"));
    end(cluster.operator(), second, 1);
    // The first one is started again by its keeper, and waits now.
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> log().split("waiting for leader election", -1).length > 2);
    end(second, cluster.operator(), 3);
  }

  private void end(ServerProcess leader, ServerProcess next, int terms) {
    String holder = admin.get(LEASE).at("/spec/holderIdentity").asText();
    ProcessHandle process = ProcessHandle.of(leader.pid()).orElseThrow();
    assertThat(process.destroy()).isTrue();
    Awaitility.await().atMost(PATIENCE).until(() -> !process.isAlive());
    // A released lease keeps the name of its holder, for a second.
    JsonNode lease = admin.get(LEASE).path("spec");
    assertThat(
            !lease.path("holderIdentity").asText("").equals(holder)
                || lease.path("leaseDurationSeconds").asInt() <= 1)
        .as(lease.toString())
        .isTrue();
    awaitLead(next, terms);
  }

  private static void awaitLead(ServerProcess operator, int terms) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(50))
        .until(() -> text(operator).split("keyward operator: became leader", -1).length > terms);
  }

  void aStrangersSecretIsInTheWay(Runnable ask) {
    admin.post(
        Admin.MANAGED + "/secrets",
        "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"encryption-key-kube-apiserver-2\"},\"data\":{\"mine\":\"AAAA\"}}");
    ask.run();
    admin.awaitCondition(
        "EncryptionKeyControllerDegraded",
        "True",
        "encryption-key-kube-apiserver-2 blocks a key: it lacks the label",
        "add the label if it holds that key, otherwise remove its finalizers and delete it");
    assertThat(admin.get(KEY + "2").at("/data/mine").asText()).isEqualTo("AAAA");
    admin.delete(KEY + "2");
  }

  /// A rollout has begun.
  void awaitOneOnItsWay() {
    Awaitility.await()
        .atMost(PATIENCE)
        .until(() -> {
          for (JsonNode node : admin.operator().at("/status/nodeStatuses")) {
            if (node.path("targetRevision").asLong() > node.path("currentRevision").asLong()) {
              return true;
            }
          }
          return false;
        });
  }
}
