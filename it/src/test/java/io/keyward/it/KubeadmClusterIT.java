package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.kubeadm.KubeadmNode;
import io.keyward.testbed.kubeadm.VaultPluginImage;
import io.keyward.testbed.process.Waiting;
import java.io.BufferedReader;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A cluster that kubeadm made on this machine.
final class KubeadmClusterIT {
  private static final Duration LIMIT = Duration.ofMinutes(2);

  @BeforeAll
  static void containersRunHere() {
    KubeadmAdmin.requireContainers();
  }

  @Test
  void runsPodsAndComesBackAfterACrash(@TempDir Path temporary) {
    try (var cluster =
        KubeadmCluster.start(temporary.resolve("c"), 1, ServerBinaries.ofThisMachine(), _ -> {})) {
      KubeadmNode node = cluster.nodes().getFirst();
      assertThat(node.run("ls", "/etc/kubernetes/manifests"))
          .contains("etcd.yaml", "kube-apiserver.yaml", "kube-controller-manager.yaml");
      node.write("/root-of-the-test/pods.yaml", PODS);
      node.run("kubectl", "apply", "-f", "/root-of-the-test/pods.yaml");
      cluster.kubectl("rollout", "status", "--timeout=90s", "deployment/sleeper");
      cluster.kubectl("rollout", "status", "--timeout=90s", "daemonset/everywhere");
      cluster.kubectl("create", "secret", "generic", "word", "--from-literal=word=sesame");
      startsAnImportedPlugin(cluster, node);

      node.crash();
      assertThat(node.succeeds("true")).isFalse();
      node.reboot();
      assertThat(Waiting.until(() -> isReady(node), LIMIT)).isTrue();
      assertThat(cluster.kubectl("get", "secret", "word", "-o", "jsonpath={.data.word}"))
          .isEqualTo("c2VzYW1l");
    }
    assertThat(temporary.resolve("c")).doesNotExist();
  }

  /// By a reference with a digest, as the operator of OpenShift requires. The registry of the
  /// reference does not exist. The plugin needs no Vault to open its socket.
  private static void startsAnImportedPlugin(KubeadmCluster cluster, KubeadmNode node) {
    String image = VaultPluginImage.importOn(node, ServerBinaries.ofThisMachine());
    assertThat(image).matches("registry\\.example\\.com/vault-kms-plugin@sha256:[0-9a-f]{64}");
    assertThat(VaultPluginImage.importOn(node, ServerBinaries.ofThisMachine())).isEqualTo(image);
    node.run("install", "-d", "-o", "65532", "/var/lib/vault-kms-plugin");
    node.write("/etc/kubernetes/manifests/vault-kms-plugin.yaml", PLUGIN.replace("IMAGE", image));

    assertThat(Waiting.until(() -> node.succeeds("test", "-S", SOCKET), LIMIT)).isTrue();
    assertThat(KubeadmAdmin.awaited(() -> isStarted(cluster, image), LIMIT)).isTrue();
  }

  private static boolean isStarted(KubeadmCluster cluster, String image) {
    return cluster
        .kubectl(
            "get",
            "pod",
            "-n",
            "kube-system",
            "vault-kms-plugin-node0",
            "-o",
            "jsonpath={.status.initContainerStatuses[0].started} {.status.phase}"
                + " {.status.initContainerStatuses[0].imageID}")
        .equals("true Running " + image);
  }

  private static final String SOCKET = "/var/lib/vault-kms-plugin/plugin.sock";

  /// The plugin as OpenShift adds it to the pod of an API server, but with the user of the image.
  private static final String PLUGIN =
      """
      apiVersion: v1
      kind: Pod
      metadata: {name: vault-kms-plugin, namespace: kube-system}
      spec:
        hostNetwork: true
        initContainers:
        - name: vault-kms-plugin-1
          image: IMAGE
          imagePullPolicy: IfNotPresent
          restartPolicy: Always
          terminationMessagePolicy: FallbackToLogsOnError
          args:
          - -listen-address=unix:///var/lib/vault-kms-plugin/plugin.sock
          - -vault-address=https://127.0.0.1:8200
          - -vault-key-path=transit/keys/kms
          - -approle-role-id=node
          - -approle-secret-id-path=/var/lib/vault-kms-plugin/secret-id
          - -vault-namespace=team
          - -vault-auth-namespace=ops
          - -metrics-port=0
          securityContext:
            readOnlyRootFilesystem: true
            allowPrivilegeEscalation: false
            runAsNonRoot: true
            capabilities: {drop: [ALL]}
            seccompProfile: {type: RuntimeDefault}
          volumeMounts:
          - {name: sockets, mountPath: /var/lib/vault-kms-plugin}
        containers:
        - {name: sleep, image: "localhost/busybox:1", command: [sleep, "1000"]}
        volumes:
        - name: sockets
          hostPath: {path: /var/lib/vault-kms-plugin}
      """;

  private static boolean isReady(KubeadmNode node) {
    return node.succeeds("kubectl", "get", "--raw", "/readyz");
  }

  private static final String PODS =
      """
      apiVersion: apps/v1
      kind: Deployment
      metadata: {name: sleeper}
      spec:
        replicas: 2
        selector: {matchLabels: {app: sleeper}}
        template:
          metadata: {labels: {app: sleeper}}
          spec:
            terminationGracePeriodSeconds: 0
            containers:
            - {name: sleep, image: "localhost/busybox:1", command: [sleep, "1000"]}
      ---
      apiVersion: apps/v1
      kind: DaemonSet
      metadata: {name: everywhere}
      spec:
        selector: {matchLabels: {app: everywhere}}
        template:
          metadata: {labels: {app: everywhere}}
          spec:
            hostNetwork: true
            terminationGracePeriodSeconds: 0
            containers:
            - {name: sleep, image: "localhost/busybox:1", command: [sleep, "1000"]}
      """;

  /// Starts a cluster for the test below, which kills it.
  static final class Victim {
    private Victim() {}

    private static void say(String line) {
      System.out.println(line);
    }

    public static void main(String[] arguments) throws InterruptedException {
      try (var _ =
          KubeadmCluster.start(
              Path.of(arguments[0]), 1, ServerBinaries.ofThisMachine(), Victim::say)) {
        Thread.sleep(Duration.ofMinutes(10));
      }
    }
  }

  @Test
  void leavesNothingWhenItsProgramIsKilled(@TempDir Path temporary) throws IOException {
    Path home = temporary.resolve("c");
    Process victim =
        new ProcessBuilder(
                ProcessHandle.current().info().command().orElseThrow(),
                "-cp",
                System.getProperty("java.class.path"),
                Victim.class.getName(),
                home.toString())
            .redirectError(ProcessBuilder.Redirect.DISCARD)
            .start();
    String id = "";
    try (BufferedReader printed = victim.inputReader()) {
      id = printed.readLine().replace("creating cluster ", "");
      assertThat(printed.readLine()).isEqualTo("booting node0");
      assertThat(Waiting.until(() -> Files.exists(home.resolve("node0/data")), LIMIT)).isTrue();
      assertThat(namespaces(id)).isNotEmpty();
    } finally {
      victim.destroyForcibly();
    }
    assertThat(Waiting.until(() -> !Files.exists(home), LIMIT)).isTrue();
    assertThat(namespaces(id)).isEmpty();
    assertThat(mounts(home)).isEmpty();
  }

  /// Of one cluster: others may run at the same time.
  private static List<String> namespaces(String cluster) throws IOException {
    Path all = Path.of("/run/netns");
    if (!Files.exists(all)) {
      return List.of();
    }
    try (Stream<Path> found = Files.list(all)) {
      return found
          .map(path -> path.getFileName().toString())
          .filter(name -> name.startsWith(cluster))
          .toList();
    }
  }

  private static List<String> mounts(Path home) throws IOException {
    return Files.readAllLines(Path.of("/proc/mounts")).stream()
        .filter(line -> line.contains(home.toString()))
        .toList();
  }
}
