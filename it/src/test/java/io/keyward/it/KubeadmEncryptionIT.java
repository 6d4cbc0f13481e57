package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.kubeadm.ContainerHost;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.kubeadm.KubeadmNode;
import io.keyward.testbed.process.TestbedException;
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
  private static final Duration LIMIT = Duration.ofMinutes(4);
  private static final int SECRETS = 20;
  private static final String MANIFEST = "/etc/kubernetes/manifests/kube-apiserver.yaml";

  @TempDir private static Path directory;
  private static @Nullable KubeadmCluster started;

  @BeforeAll
  static void start() {
    ContainerHost.problem()
        .ifPresent(problem -> {
          if (Boolean.getBoolean("noContainers")) {
            abort(problem);
          }
          fail(problem + " To leave these tests out: ./mvnw verify -DnoContainers");
        });
    var cluster =
        KubeadmCluster.start(directory.resolve("c"), 1, ServerBinaries.ofThisMachine(), _ -> {});
    started = cluster;
    node()
        .run(
            "ctr",
            "-n",
            "k8s.io",
            "images",
            "import",
            Artefacts.one("keyward-*-image-amd64.tar").toString());
    for (int i = 0; i < SECRETS; i++) {
      cluster.kubectl("create", "secret", "generic", "s" + i, "--from-literal=word=sesame");
    }
  }

  @AfterAll
  static void stop() {
    if (started != null) {
      started.close();
    }
  }

  private static KubeadmCluster cluster() {
    return Objects.requireNonNull(started);
  }

  private static KubeadmNode node() {
    return cluster().nodes().getFirst();
  }

  private static Keyward keyward(String... words) {
    var all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--kubeconfig", cluster().kubeconfig().toString()));
    return Keyward.run(all.toArray(String[]::new));
  }

  private static void request(String encryption) {
    cluster()
        .kubectl(
            "patch",
            "clusterencryption",
            "cluster",
            "--type=merge",
            "-p",
            "{\"spec\":{\"encryption\":" + encryption + "}}");
  }

  /// API servers restart meanwhile, so that some calls find none.
  private static void awaitMessage(String column, String value) {
    boolean done =
        Waiting.until(
            () -> {
              try {
                return cluster()
                    .kubectl("get", "clusterencryption", "cluster", "-o", "jsonpath=" + column)
                    .contains(value);
              } catch (TestbedException _) {
                return false;
              }
            },
            LIMIT);
    assertThat(done)
        .as(() -> "no " + value + ": " + keyward("status").out() + keyward("explain").out())
        .isTrue();
  }

  private static void awaitKey(String key) {
    awaitMessage("{.status.writeKey}", key);
    awaitMessage("{.status.conditions[?(@.type==\"Encrypted\")].status}", "True");
  }

  /// How many secrets are stored with each prefix.
  private static long stored(String prefix) {
    String keys = "/registry/secrets/default/s";
    String values =
        cluster()
            .kubectl(
                "exec",
                "-n",
                "kube-system",
                "etcd-node0",
                "--",
                "etcdctl",
                "--cacert=/etc/kubernetes/pki/etcd/ca.crt",
                "--cert=/etc/kubernetes/pki/etcd/healthcheck-client.crt",
                "--key=/etc/kubernetes/pki/etcd/healthcheck-client.key",
                "get",
                keys,
                "--prefix",
                "--print-value-only");
    return values.lines().filter(line -> line.startsWith(prefix)).count();
  }

  /// While its API server restarts, nothing can be read.
  private static void awaitStored(String prefix) {
    boolean all =
        Waiting.until(
            () -> {
              try {
                return stored(prefix) == SECRETS;
              } catch (TestbedException _) {
                return false;
              }
            },
            LIMIT);
    assertThat(all).as(prefix).isTrue();
  }

  private static boolean isReady() {
    return node().succeeds("kubectl", "get", "--raw", "/readyz");
  }

  @Test
  @Order(1)
  void installsWithOneCommand() {
    Keyward installed = keyward("operator", "install");
    assertThat(installed.exitCode()).as(installed.err()).isZero();
    assertThat(installed.out()).contains("deployment.apps/keyward-operator created");
    cluster()
        .kubectl(
            "rollout",
            "status",
            "--timeout=180s",
            "-n",
            "keyward-system",
            "deployment/keyward-operator");
    awaitMessage("{.status.nodeStatuses[*].ready}", "true");
    // Nothing differs, and a request of the administrator is not touched.
    assertThat(keyward("operator", "install").out()).doesNotContain("created", "configured");
  }

  @Test
  @Order(2)
  void encryptsWithALocalKey() {
    request("{\"type\":\"aescbc\"}");
    awaitKey("1 (aescbc)");
    awaitStored("k8s:enc:aescbc:v1:1:");
    assertThat(node().run("cat", MANIFEST))
        .contains("--encryption-provider-config=/etc/kubernetes/keyward/", "revision:");
    assertThat(cluster().kubectl("get", "cenc")).contains("aescbc", "1 (aescbc)", "True");
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
    assertThat(Waiting.until(KubeadmEncryptionIT::isReady, LIMIT)).isTrue();
    assertThat(cluster().kubectl("get", "secret", "s0", "-o", "jsonpath={.data.word}"))
        .isEqualTo("c2VzYW1l");
  }

  /// The agent is a static pod: it starts with its node.
  @Test
  @Order(4)
  void comesBackAfterAPowerCut() {
    node().crash();
    node().reboot();
    assertThat(Waiting.until(KubeadmEncryptionIT::isReady, LIMIT)).isTrue();
    assertThat(
            Waiting.until(
                () ->
                    node()
                            .run("ctr", "-n", "k8s.io", "task", "ls")
                            .lines()
                            .filter(line -> line.contains("RUNNING"))
                            .count()
                        > 5,
                LIMIT))
        .isTrue();
    awaitMessage("{.status.nodeStatuses[*].ready}", "true");
    awaitStored("k8s:enc:aescbc:v1:1:");
  }

  /// The plugin is a static pod of the node, from Keyward's own image.
  @Test
  @Order(5)
  void movesToAKms() {
    node().write("/etc/kubernetes/kms/password", "a password of the test\n");
    node().write("/etc/kubernetes/kms/plugin.yaml", PLUGIN);
    node().run("chmod", "-R", "go=", "/etc/kubernetes/kms");
    Path keys = directory.resolve("keys.p12");
    Path password = directory.resolve("password");
    node().run("cp", "/etc/kubernetes/kms/password", password.toString());
    assertThat(
            Keyward.run(
                    "keystore",
                    "create",
                    "--keystore",
                    keys.toString(),
                    "--password-file",
                    password.toString())
                .exitCode())
        .isZero();
    node().run("cp", keys.toString(), "/etc/kubernetes/kms/keys.p12");
    node()
        .write(
            "/etc/kubernetes/manifests/kms-plugin.yaml",
            POD.replace("VERSION", Artefacts.version()));
    request(
        "{\"type\":\"KMS\",\"kms\":{\"type\":\"External\",\"external\":"
            + "{\"endpoint\":\"unix:///var/run/kmsplugin/kms.sock\"}}}");
    awaitKey("2 (KMS)");
    awaitStored("k8s:enc:kms:v2:2_secrets:");
  }

  @Test
  @Order(6)
  void refusesToBeRemovedWhileDataIsEncrypted() {
    Keyward refused = keyward("operator", "uninstall");
    assertThat(refused.exitCode()).isEqualTo(2);
    assertThat(refused.err()).contains("nothing was removed", "encryption type identity");
    assertThat(cluster().kubectl("get", "deployment", "-n", "keyward-system", "-o", "name"))
        .contains("keyward-operator");
  }

  @Test
  @Order(7)
  void leavesNothingBehind() {
    request("{\"type\":\"identity\",\"kms\":null}");
    awaitMessage("{.status.conditions[?(@.type==\"Encrypted\")].reason}", "DecryptionCompleted");
    assertThat(stored("k8s:enc:")).isZero();
    Keyward removed = keyward("operator", "uninstall");
    assertThat(removed.exitCode()).as(removed.out() + removed.err()).isZero();

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

  private static final String PLUGIN =
      """
      keys:
        - name: kms
          socket: /var/run/kmsplugin/kms.sock
          provider: local
          local:
            keystore: /etc/kubernetes/kms/keys.p12
            passwordFile: /etc/kubernetes/kms/password
      """;

  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        name: kms-plugin
        namespace: kube-system
      spec:
        hostNetwork: true
        priorityClassName: system-node-critical
        containers:
        - name: plugin
          image: localhost/keyward:VERSION
          command: [/opt/keyward/runtime/bin/java, "@/opt/keyward/lib/plugin.args"]
          args: [plugin, --config=/etc/kubernetes/kms/plugin.yaml]
          securityContext:
            runAsUser: 0
            readOnlyRootFilesystem: true
            capabilities: {drop: [ALL]}
          volumeMounts:
          - {name: settings, mountPath: /etc/kubernetes/kms, readOnly: true}
          - {name: sockets, mountPath: /var/run/kmsplugin}
        volumes:
        - name: settings
          hostPath: {path: /etc/kubernetes/kms}
        - name: sockets
          hostPath: {path: /var/run/kmsplugin, type: DirectoryOrCreate}
      """;
}
