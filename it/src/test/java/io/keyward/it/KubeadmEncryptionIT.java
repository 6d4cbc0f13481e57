package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.kubeadm.KubeadmNode;
import io.keyward.testbed.process.Waiting;
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

/// Keyward on a cluster of kubeadm, from its installation to its removal: image, operator and node
/// agent run as pods of a real kubelet. The tests are one story and run in order.
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class KubeadmEncryptionIT {
  private static final int SECRETS = 20;
  private static final String MANIFEST = "/etc/kubernetes/manifests/kube-apiserver.yaml";

  @TempDir private static Path directory;
  private static @Nullable KubeadmCluster started;
  private static @Nullable KubeadmAdmin administrator;
  private static final List<AutoCloseable> kept = new ArrayList<>();

  @BeforeAll
  static void start() {
    KubeadmAdmin.requireContainers();
    var cluster =
        KubeadmCluster.start(directory.resolve("c"), 1, ServerBinaries.ofThisMachine(), _ -> {});
    started = cluster;
    administrator = new KubeadmAdmin(cluster);
    for (int i = 0; i < SECRETS; i++) {
      cluster.kubectl("create", "secret", "generic", "s" + i, "--from-literal=word=sesame");
    }
  }

  @AfterAll
  static void stop() throws Exception {
    if (started != null) {
      started.close();
    }
    for (AutoCloseable one : kept) {
      one.close();
    }
  }

  private static KubeadmCluster cluster() {
    return Objects.requireNonNull(started);
  }

  private static KubeadmAdmin admin() {
    return Objects.requireNonNull(administrator);
  }

  private static KubeadmNode node() {
    return cluster().nodes().getFirst();
  }

  private static boolean isReady() {
    return node().succeeds("kubectl", "get", "--raw", "/readyz");
  }

  @Test
  @Order(1)
  void followsTheQuickStart() {
    QuickStart.on(node()).run("quick-start");
    assertThat(cluster().kubectl("get", "cenc")).contains("aescbc", "1 (aescbc)", "True");
    admin().awaitStored("k8s:enc:aescbc:v1:1:", SECRETS);
    assertThat(node().run("cat", MANIFEST))
        .contains("--encryption-provider-config=/etc/kubernetes/keyward/", "revision:");
  }

  @Test
  @Order(2)
  void installsTwiceWithoutAChange() {
    admin().awaitStatus("{.status.nodeStatuses[*].ready}", "true");
    Keyward again = admin().keyward("operator", "install");
    assertThat(again.exitCode()).as(again.err()).isZero();
    assertThat(again.out())
        .contains("deployment.apps/keyward-operator unchanged")
        .doesNotContain("created", "configured");
  }

  /// kubeadm writes the manifest again and knows the configuration; if it does not, because its own
  /// file is older, the agent adds it again.
  @Test
  @Order(3)
  void survivesKubeadm() {
    assertThat(
            cluster()
                .kubectl(
                    "get",
                    "configmap",
                    "-n",
                    "kube-system",
                    "kubeadm-config",
                    "-o",
                    "jsonpath={.data.ClusterConfiguration}"))
        .contains("encryption-provider-config", "/etc/kubernetes/keyward/kube-apiserver");
    node()
        .run(
            "kubeadm",
            "init",
            "phase",
            "control-plane",
            "apiserver",
            "--config",
            "/etc/kubernetes/init.yaml");
    assertThat(
            Waiting.until(
                () -> node().run("cat", MANIFEST).contains("encryption-provider-config"),
                Duration.ofMinutes(1)))
        .isTrue();
    assertThat(Waiting.until(KubeadmEncryptionIT::isReady, KubeadmAdmin.LIMIT)).isTrue();
    assertThat(cluster().kubectl("get", "secret", "s0", "-o", "jsonpath={.data.word}"))
        .isEqualTo("c2VzYW1l");
  }

  /// The agent is a static pod: it starts with its node.
  @Test
  @Order(4)
  void comesBackAfterAPowerCut() {
    node().crash();
    node().reboot();
    assertThat(Waiting.until(KubeadmEncryptionIT::isReady, KubeadmAdmin.LIMIT)).isTrue();
    assertThat(
            Waiting.until(
                () ->
                    node()
                            .run("ctr", "-n", "k8s.io", "task", "ls")
                            .lines()
                            .filter(line -> line.contains("RUNNING"))
                            .count()
                        > 5,
                KubeadmAdmin.LIMIT))
        .isTrue();
    admin().awaitStatus("{.status.nodeStatuses[*].ready}", "true");
    admin().awaitStored("k8s:enc:aescbc:v1:1:", SECRETS);
  }

  /// With the credentials and the permissions of the node agent itself.
  @Test
  @Order(5)
  void checksItsNode() {
    assertThat(check()).doesNotContain("failed", "warning").endsWith("exit code 0\n");
    String config = "/etc/kubernetes/keyward/kube-apiserver/encryption-config";
    node().run("chmod", "0644", config);
    assertThat(check()).contains("must have mode 0600").endsWith("exit code 1\n");
    node().run("chmod", "0600", config);
  }

  private static String check() {
    String keyward = Keyward.HOME.resolve("bin/keyward").toString();
    return node().run("sh", "-c", keyward + " node-agent check; echo exit code $?");
  }

  /// The plugin is a static pod of the node, from Keyward's own image.
  @Test
  @Order(6)
  void followsTheQuickStartToVault() {
    var vault = KubeadmVault.start(directory.resolve("vault"), cluster(), node());
    kept.add(vault);
    vault.writeFiles(QuickStart.DIRECTORY);
    QuickStart.on(node()).run("quick-start-vault");
    admin().awaitKey("2 (KMS)");
    admin().awaitStored("k8s:enc:kms:v2:2_secrets:", SECRETS);
  }

  @Test
  @Order(7)
  void refusesToBeRemovedWhileDataIsEncrypted() {
    Keyward refused = admin().keyward("operator", "uninstall");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("nothing was removed", "encryption type identity");
    assertThat(cluster().kubectl("get", "deployment", "-n", "keyward-system", "-o", "name"))
        .contains("keyward-operator");
  }

  @Test
  @Order(8)
  void leavesNothingBehind() {
    QuickStart.on(node()).run("quick-start-remove");
    assertThat(admin().stored("k8s:enc:")).isZero();
    // Whatever an interrupted removal left behind, the next one finishes.
    Keyward again = admin().keyward("operator", "uninstall");
    assertThat(again.exitCode()).as(again.err()).isZero();
    // The plugin was installed by the administrator, who removes it last.
    node().run("rm", "-r", "/etc/kubernetes/manifests/keyward-plugin.yaml", "/etc/keyward");

    assertThat(node().run("cat", MANIFEST))
        .doesNotContain("keyward", "encryption-provider-config", "revision:");
    assertThat(node().run("ls", "/etc/kubernetes", "/etc/kubernetes/manifests"))
        .doesNotContain("keyward");
    for (String kind :
        List.of(
            "namespaces",
            "customresourcedefinitions",
            "clusterroles",
            "clusterrolebindings",
            "validatingadmissionpolicies")) {
      assertThat(cluster().kubectl("get", kind, "-o", "name")).doesNotContain("keyward");
    }
    assertThat(
            cluster()
                .kubectl("get", "roles,rolebindings,secrets,configmaps", "-A", "-o", "yaml")
                // The name of the load balancer of the test.
                .replace("api.keyward.test", ""))
        .doesNotContain("keyward");
    assertThat(cluster().kubectl("get", "secret", "s0", "-o", "jsonpath={.data.word}"))
        .isEqualTo("c2VzYW1l");
  }
}
