package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.Traffic;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.kubeadm.KubeadmNode;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// A KMS whose plugins Keyward runs, on three control-plane nodes, with the default waits and many
/// Secrets, while a client reads and writes behind the load balancer: no request fails.
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class KubeadmManagedLoadIT {
  private static final int NODES = 3;
  private static final int SECRETS = 5000;
  private static final Duration PATIENCE = Duration.ofMinutes(15);

  @TempDir private static Path directory;
  private static @Nullable KubeadmCluster started;
  private static @Nullable KubeadmVault vaultServer;
  private static @Nullable Traffic load;

  @BeforeAll
  static void start() {
    KubeadmAdmin.requireContainers();
    var cluster =
        KubeadmCluster.start(
            directory.resolve("c"), NODES, ServerBinaries.ofThisMachine(), _ -> {});
    started = cluster;
    cluster.nodes().forEach(KubeadmAdmin::importImage);
    cluster.writeCredentials(directory);
    createSecrets(cluster.nodes().getFirst());
    var vault = KubeadmVault.start(directory.resolve("vault"), cluster, cluster.nodes().getFirst());
    vaultServer = vault;
    cluster.nodes().stream().skip(1).forEach(node -> vault.expose(cluster, node));
    Keyward installed = admin().keyward("operator", "install");
    assertThat(installed.exitCode()).as(installed.err()).isZero();
    vault.applyCa();
    vault.applySecret(vault.secretId());
    load = Traffic.ofSecrets(KubeadmAdmin.client(cluster.address(), directory));
  }

  private static void createSecrets(KubeadmNode node) {
    var all = new StringBuilder();
    for (int i = 0; i < SECRETS; i++) {
      all.append("---\napiVersion: v1\nkind: Secret\nmetadata: {name: s").append(i);
      all.append(", namespace: default}\nstringData: {word: sesame}\n");
    }
    node.write("/root-of-the-test/secrets.yaml", all.toString());
    node.run("kubectl", "create", "-f", "/root-of-the-test/secrets.yaml");
  }

  @AfterAll
  static void stop() {
    if (load != null) {
      load.close();
    }
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

  private static Traffic load() {
    return Objects.requireNonNull(load);
  }

  private static KubeadmAdmin admin() {
    return new KubeadmAdmin(cluster());
  }

  /// A figure for the reader of the report, not a bound: machines differ.
  private static void say(String what, long since) {
    System.out.printf("%s: %.0f s%n", what, (System.nanoTime() - since) / 1e9);
  }

  private static String keyId() {
    String column = "{.status.encryptionStatus.healthReports[?(@.keyID==\"1\")].remoteKeyID}";
    admin().awaitStatus(column, "kw1-");
    return cluster()
        .kubectl("get", "clusterencryption", "cluster", "-o", "jsonpath=" + column)
        .split(" ", 2)[0];
  }

  private static long holding(String keyId) {
    return KubeadmAdmin.stored(
        cluster(), "/registry/secrets/default/s", line -> line.contains(keyId));
  }

  @Test
  @Order(1)
  void encryptsUnderLoad() {
    long began = System.nanoTime();
    admin().request(KubeadmVault.request());
    admin().awaitKey("1 (KMS)");
    admin().awaitStored("k8s:enc:kms:v2:1_secrets:", SECRETS);
    say("three nodes, " + SECRETS + " secrets, plaintext to a managed KMS", began);
    assertThat(load().isServedEverywhere(PATIENCE)).isTrue();
    assertThat(load().failed()).isEmpty();
  }

  @Test
  @Order(2)
  void w4FollowsARotationInVault() {
    String before = keyId();
    long began = System.nanoTime();
    vault().rotateKey();
    assertThat(
            KubeadmAdmin.awaited(
                () -> !keyId().equals(before) && holding(keyId()) == SECRETS, PATIENCE))
        .isTrue();
    assertThat(holding(before)).isZero();
    say("from the rotation in Vault until nothing needs the old KEK, default waits", began);
    assertThat(load().failed()).isEmpty();
  }

  @Test
  @Order(3)
  void movesToSecretboxUnderLoad() {
    long began = System.nanoTime();
    admin().request("{\"type\":\"secretbox\",\"kms\":null}");
    admin().awaitKey("2 (secretbox)");
    admin().awaitStored("k8s:enc:secretbox:v1:2:", SECRETS);
    say("three nodes, " + SECRETS + " secrets, managed KMS to secretbox", began);
    assertThat(load().isServedEverywhere(PATIENCE)).isTrue();
    assertThat(load().failed()).isEmpty();
  }
}
