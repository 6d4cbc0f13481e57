package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.kubeadm.KubeadmNode;
import io.keyward.testbed.kubeadm.VaultPluginImage;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// The administrator names a key in Vault, and Keyward runs the plugin: on a real kubelet, with a
/// real Vault. The tests are one story and run in order.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class KubeadmManagedKmsIT {
  private static final int SECRETS = 20;
  private static final Duration LIMIT = Duration.ofMinutes(5);
  private static final String MANIFEST = "/etc/kubernetes/manifests/kube-apiserver.yaml";
  private static final String KMS_1 = "k8s:enc:kms:v2:1_secrets:";
  private static final String PREFLIGHT =
      "{.status.conditions[?(@.type==\"EncryptionKMSPreflightControllerDegraded\")].message}";

  private static final String CONFIG =
      """
      apiServers:
        - component: kube-apiserver
          operatorResource: clusterencryptions
          workload: kubeadm
      settings:
        reportInterval: 5s
        # An API server asks a plugin again at most 20 s after its readiness was checked.
        kekSettles: 25s
        retireKmsAfter: 10s
      """;

  @TempDir private static Path directory;
  private static @Nullable KubeadmCluster started;
  private static @Nullable KubeadmVault vaultServer;

  @BeforeAll
  static void start() throws IOException {
    KubeadmAdmin.requireContainers();
    var cluster =
        KubeadmCluster.start(directory.resolve("c"), 1, ServerBinaries.ofThisMachine(), _ -> {});
    started = cluster;
    KubeadmAdmin.importImage(node());
    for (int i = 0; i < SECRETS; i++) {
      cluster.kubectl("create", "secret", "generic", "s" + i, "--from-literal=word=sesame");
    }
    vaultServer = KubeadmVault.start(directory.resolve("vault"), cluster, node());
    Path config = Files.writeString(directory.resolve("operator.yaml"), CONFIG);
    Keyward installed = admin().keyward("operator", "install", "--config", config.toString());
    assertThat(installed.exitCode()).as(installed.err()).isZero();
  }

  @AfterAll
  static void stop() {
    if (vaultServer != null) {
      vaultServer.close();
    }
    if (started != null) {
      started.close();
    }
  }

  private static KubeadmCluster cluster() {
    return Objects.requireNonNull(started);
  }

  private static KubeadmVault vault() {
    return Objects.requireNonNull(vaultServer);
  }

  private static KubeadmAdmin admin() {
    return new KubeadmAdmin(cluster());
  }

  private static KubeadmNode node() {
    return cluster().nodes().getFirst();
  }

  /// As the node last reported it.
  private static String keyId() {
    String column = "{.status.encryptionStatus.healthReports[?(@.keyID==\"1\")].remoteKeyID}";
    admin().awaitStatus(column, "kw1-");
    return cluster().kubectl("get", "clusterencryption", "cluster", "-o", "jsonpath=" + column);
  }

  /// How many stored Secrets name a key of the KMS.
  private static long holding(String keyId) {
    return KubeadmAdmin.stored(
        cluster(), "/registry/secrets/default/s", line -> line.contains(keyId));
  }

  private static String plugins() {
    return cluster()
        .kubectl(
            "get",
            "pod",
            "-n",
            "kube-system",
            "kube-apiserver-node0",
            "-o",
            "jsonpath={.spec.initContainers[*].name}");
  }

  /// Nothing changes before everything exists and works, and it heals by itself.
  @Test
  @Order(1)
  void w3NamesWhatIsMissingOrWrong() {
    admin().request(KubeadmVault.request());
    admin()
        .awaitStatus(
            "{.status.conditions[*].message}",
            "secret vault-approle in keyward-system does not exist");
    vault().applyCa();
    vault().applySecret("00000000-0000-0000-0000-000000000000");
    admin().awaitStatus(PREFLIGHT, "login");
    assertThat(node().run("cat", MANIFEST)).doesNotContain("encryption-provider-config");
  }

  @Test
  @Order(2)
  void encryptsWithTheKeyInVault() {
    vault().applySecret(vault().secretId());
    admin().awaitKey("1 (KMS)");
    admin().awaitStored(KMS_1, SECRETS);
    assertThat(plugins()).isEqualTo("keyward-kms-plugin");
    assertThat(holding(keyId())).isEqualTo(SECRETS);
  }

  /// W16
  @Test
  @Order(3)
  void w16CredentialsAreInFilesOfThePluginAlone() {
    String secretId = vault().secretId();
    assertThat(
            node().run("sh", "-c", "cat /proc/[0-9]*/cmdline /proc/[0-9]*/environ | tr '\\0' ' '"))
        .contains("kube-apiserver")
        .doesNotContain(secretId);
    assertThat(node().run("cat", MANIFEST)).doesNotContain(secretId);
    assertThat(cluster().kubectl("get", "clusterencryptions,events,pods", "-A", "-o", "yaml"))
        .doesNotContain(secretId);
    assertThat(node().run("sh", "-c", "cat /var/log/pods/*/*/*.log")).doesNotContain(secretId);
    assertThat(node().run("ls", "/etc/kubernetes/keyward/kube-apiserver"))
        .doesNotContain("kms-plugin");
    assertThat(
            node()
                .run(
                    "sh",
                    "-c",
                    "stat -c %a:%u:%g:%n /etc/kubernetes/keyward/kms-plugin/*/kms-plugin-secret-*"))
        .contains("440:0:65532:");
    assertThat(cluster().kubectl("get", "pods,secrets", "-n", "keyward-system", "-o", "name"))
        .doesNotContain("kms-preflight");
  }

  @Test
  @Order(4)
  void w4FollowsARotationInVault() {
    String before = keyId();
    vault().rotateKey();
    assertThat(
            KubeadmAdmin.awaited(
                () -> !keyId().equals(before) && holding(keyId()) == SECRETS, LIMIT))
        .isTrue();
    assertThat(holding(before)).isZero();
    assertThat(admin().stored(KMS_1)).isEqualTo(SECRETS);
    admin().awaitKey("1 (KMS)");
  }

  /// W5
  @Test
  @Order(5)
  void w5GivesThePluginNewCredentials() {
    vault().rotateSecretId();
    vault().applySecret(vault().secretId());
    assertThat(
            KubeadmAdmin.awaited(
                () ->
                    node()
                        .run(
                            "sh",
                            "-c",
                            "cat $(ls -d /etc/kubernetes/keyward/kms-plugin/* | sort -V | tail -n 1)"
                                + "/kms-plugin-secret-vault-approle_secret-id-1")
                        .equals(vault().secretId()),
                LIMIT))
        .isTrue();
    admin().awaitStatus("{.status.nodeStatuses[*].ready}", "true");
    admin().awaitKey("1 (KMS)");
    assertThat(admin().stored(KMS_1)).isEqualTo(SECRETS);
  }

  /// W1, W9: the API server has its keys in memory, so it still serves.
  @Test
  @Order(6)
  void w9ReportsAKmsThatIsDown() {
    vault().pause();
    awaitDirectly("{.status.encryptionStatus.healthReports[*].detail}", "Vault did not answer");
    awaitDirectly("{.status.conditions[?(@.type==\"KMSPluginsDegraded\")].status}", "True");
    assertThat(directly("get", "secret", "s0", "-o", "jsonpath={.data.word}"))
        .isEqualTo("c2VzYW1l");
  }

  /// Without the load balancer, which sends nothing to an API server that is not ready.
  private static String directly(String... words) {
    var all = new ArrayList<>(List.of("kubectl", "--server", "https://10.213.0.10:6443"));
    all.addAll(List.of("--request-timeout=5s"));
    all.addAll(List.of(words));
    return node().run(all.toArray(String[]::new));
  }

  private static void awaitDirectly(String column, String value) {
    assertThat(
            KubeadmAdmin.awaited(
                () ->
                    directly("get", "clusterencryption", "cluster", "-o", "jsonpath=" + column)
                        .contains(value),
                LIMIT))
        .as(value)
        .isTrue();
  }

  /// Everything is off, and Vault stays off: the API server starts, and serves again with Vault.
  @Test
  @Order(7)
  void startsWhileTheKmsIsDown() {
    node().crash();
    node().reboot();
    assertThat(KubeadmAdmin.awaited(() -> answers("/livez"), LIMIT)).isTrue();
    assertThat(answers("/readyz")).isFalse();
    vault().resume();
    assertThat(KubeadmAdmin.awaited(() -> answers("/readyz"), LIMIT)).isTrue();
    admin().awaitStatus("{.status.conditions[?(@.type==\"KMSPluginsDegraded\")].status}", "False");
    assertThat(cluster().kubectl("get", "secret", "s0", "-o", "jsonpath={.data.word}"))
        .isEqualTo("c2VzYW1l");
  }

  private static boolean answers(String path) {
    try {
      return !directly("get", "--raw", path).isEmpty();
    } catch (TestbedException _) {
      return false;
    }
  }

  /// A plugin of another make runs by its own arguments, beside Keyward's, which still reads.
  @Test
  @Order(8)
  void w9RunsAPluginOfAnotherMake() {
    String image = VaultPluginImage.importOn(node(), ServerBinaries.ofThisMachine());
    admin().request(KubeadmVault.request(image));
    admin().awaitKey("2 (KMS)");
    admin().awaitStored("k8s:enc:kms:v2:2_secrets:", SECRETS);
    assertThat(holding("cluster:v")).isEqualTo(SECRETS);
    assertThat(KubeadmAdmin.awaited(() -> plugins().contains("vault-kms-plugin-2"), LIMIT))
        .isTrue();
  }

  /// At once on request: the retention of a KMS is ten seconds here.
  @Test
  @Order(9)
  void w8LeavesTheKms() {
    admin().request("{\"type\":\"aescbc\",\"kms\":null}");
    admin().awaitKey("3 (aescbc)");
    admin().awaitStored("k8s:enc:aescbc:v1:3:", SECRETS);
    assertThat(KubeadmAdmin.awaited(() -> plugins().isEmpty(), LIMIT)).isTrue();
    admin().awaitStatus("{.status.conditions[?(@.type==\"KMSDecommissionable\")].status}", "True");
    assertThat(node().run("cat", MANIFEST)).doesNotContain("keyward-kms");
    assertThat(cluster().kubectl("get", "secret", "s0", "-o", "jsonpath={.data.word}"))
        .isEqualTo("c2VzYW1l");
  }
}
