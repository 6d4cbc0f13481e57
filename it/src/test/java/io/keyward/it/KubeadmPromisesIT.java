package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.ApiClient;
import io.keyward.testbed.Traffic;
import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.binary.ServerBinary;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.kubeadm.KubeadmNode;
import java.io.IOException;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterAll;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.MethodOrderer;
import org.junit.jupiter.api.Order;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestMethodOrder;
import org.junit.jupiter.api.io.TempDir;

/// What Keyward promises, on three control-plane nodes of kubeadm behind a load balancer, while a
/// client reads and writes: every mode, rotation, a KMS, a replaced node, `kubeadm upgrade`, and
/// back to plaintext. The tests are one story and run in order.
@Tag("long")
@TestMethodOrder(MethodOrderer.OrderAnnotation.class)
final class KubeadmPromisesIT {
  private static final int NODES = 3;
  private static final int SECRETS = Integer.getInteger("keyward.it.secrets", 2000);

  /// The agents and the operator wait for each other in between.
  private static final Duration PATIENCE = Duration.ofMinutes(8);

  private static final Pattern REVISION = Pattern.compile("revision: \"?([0-9]+)");

  @TempDir private static Path directory;
  private static @Nullable KubeadmCluster started;
  private static @Nullable KubeadmAdmin administrator;
  private static @Nullable Traffic load;
  private static @Nullable Downtime downtime;
  private static @Nullable KubeadmPlugin plugin;

  @BeforeAll
  static void start() {
    KubeadmAdmin.requireContainers();
    long began = System.nanoTime();
    var cluster =
        KubeadmCluster.start(
            directory.resolve("c"), NODES, ServerBinaries.ofThisMachine(), _ -> {});
    started = cluster;
    say("three nodes are ready", began);
    administrator = new KubeadmAdmin(cluster);
    cluster.nodes().forEach(KubeadmAdmin::importImage);
    cluster.writeCredentials(directory);
    createSecrets();
    load = Traffic.ofSecrets(client());
  }

  private static void createSecrets() {
    var all = new StringBuilder();
    for (int i = 0; i < SECRETS; i++) {
      all.append(
          """
          ---
          apiVersion: v1
          kind: Secret
          metadata: {name: s%d, namespace: default}
          stringData: {word: sesame}
          """
              .formatted(i));
    }
    KubeadmNode node = cluster().nodes().getFirst();
    node.write("/root-of-the-test/secrets.yaml", all.toString());
    node.run("kubectl", "create", "-f", "/root-of-the-test/secrets.yaml");
  }

  private static ApiClient client() {
    return client(cluster().address());
  }

  private static ApiClient client(int node) {
    return client(cluster().address(node));
  }

  private static ApiClient client(URI server) {
    return KubeadmAdmin.client(server, directory);
  }

  @AfterAll
  static void stop() {
    if (load != null) {
      load.close();
    }
    if (downtime != null) {
      downtime.close();
    }
    if (started != null) {
      started.close();
    }
  }

  /// A figure for the reader of the report, not a bound: machines differ.
  private static void say(String what, long since) {
    System.out.printf("%s: %.0f s%n", what, (System.nanoTime() - since) / 1e9);
  }

  private static KubeadmCluster cluster() {
    return Objects.requireNonNull(started);
  }

  private static KubeadmAdmin admin() {
    return Objects.requireNonNull(administrator);
  }

  private static KubeadmPlugin plugin() {
    return Objects.requireNonNull(plugin);
  }

  private static Traffic load() {
    return Objects.requireNonNull(load);
  }

  private static void awaitAllAtOneRevision() {
    assertThat(
            KubeadmAdmin.awaited(
                () -> {
                  List<String> revisions =
                      cluster().nodes().stream().map(KubeadmPromisesIT::revision).toList();
                  return revisions.stream().distinct().count() == 1
                      && cluster().nodes().stream().allMatch(KubeadmPromisesIT::isReady);
                },
                PATIENCE))
        .isTrue();
  }

  private static String revision(KubeadmNode node) {
    var found = REVISION.matcher(node.run("cat", "/etc/kubernetes/manifests/kube-apiserver.yaml"));
    return found.find() ? found.group(1) : "";
  }

  private static boolean isReady(KubeadmNode node) {
    return node.succeeds(
        "kubectl", "get", "--raw", "/readyz", "--kubeconfig", "/etc/kubernetes/kubelet.conf");
  }

  private static void moved(String mode, String key, String prefix) {
    long began = System.nanoTime();
    admin().awaitKey(key);
    admin().awaitStored(prefix, SECRETS);
    say("re-encrypted " + SECRETS + " secrets with " + mode, began);
    assertThat(load().failed()).isEmpty();
  }

  /// With the chart; `KubeadmEncryptionIT` installs with `keyward operator install`.
  @Test
  @Order(1)
  void installsWithHelm() {
    helm("install", "keyward", "../deploy/chart", "--set=clusterServer=" + cluster().endpoint());
    admin().awaitStatus("{.status.nodeStatuses[*].ready}", "true true true");
  }

  @Test
  @Order(2)
  void encryptsWithALocalKeyUnderLoad() {
    downtime = new Downtime(IntStream.range(0, NODES).mapToObj(KubeadmPromisesIT::client).toList());
    admin().request("{\"type\":\"aescbc\"}");
    moved("aescbc", "1 (aescbc)", "k8s:enc:aescbc:v1:1:");
    downtime.close();
    System.out.printf(
        "longest time without an API server of a node: %.1f s%n",
        downtime.longest().toMillis() / 1e3);
  }

  @Test
  @Order(3)
  void rotatesALocalKey() {
    admin().patch("{\"spec\":{\"rotationReason\":\"a rotation of the test\"}}");
    moved("the next local key", "2 (aescbc)", "k8s:enc:aescbc:v1:2:");
  }

  @Test
  @Order(4)
  void changesTheMode() {
    admin().request("{\"type\":\"aesgcm\"}");
    moved("aesgcm", "3 (aesgcm)", "k8s:enc:aesgcm:v1:3:");
  }

  @Test
  @Order(5)
  void movesToAKmsAndFollowsItsRotation() throws IOException {
    plugin = new KubeadmPlugin(directory);
    cluster().nodes().forEach(plugin()::start);
    admin().request(KubeadmPlugin.REQUEST);
    moved("a KMS", "4 (KMS)", "k8s:enc:kms:v2:4_secrets:");
    String before = keyIds();
    plugin().rotate(cluster().nodes());
    assertThat(
            KubeadmAdmin.awaited(
                () -> {
                  String now = keyIds();
                  return !now.isEmpty()
                      && Arrays.stream(now.split(" ", -1)).noneMatch(before::contains);
                },
                PATIENCE))
        .isTrue();
    assertThat(load().failed()).isEmpty();
  }

  private static void helm(String... words) {
    var command =
        new ArrayList<>(
            List.of(
                "env",
                "HELM_CACHE_HOME=" + directory,
                "HELM_CONFIG_HOME=" + directory,
                "HELM_DATA_HOME=" + directory,
                ServerBinaries.ofThisMachine().ensure(ServerBinary.HELM).toString(),
                "--namespace=kube-system",
                "--kubeconfig=" + cluster().kubeconfig()));
    command.addAll(List.of(words));
    Keyward run = Keyward.process(Path.of("/dev/null"), command);
    assertThat(run.exitCode()).as(run.err()).isZero();
  }

  private static String keyIds() {
    return cluster()
        .kubectl(
            "get",
            "clusterencryption",
            "cluster",
            "-o",
            "jsonpath={.status.encryptionStatus.healthReports[*].remoteKeyID}");
  }

  /// A machine is lost with its disk, and another one joins in its place.
  @Test
  @Order(6)
  void aReplacedNodeJoinsEncrypted() {
    awaitAllAtOneRevision();
    KubeadmNode lost = cluster().nodes().getLast();
    cluster().discard(lost);
    KubeadmNode first = cluster().nodes().getFirst();
    // The load balancer may send a request to the lost node for a second.
    assertThat(KubeadmAdmin.awaited(() -> !etcdctl(first, "member", "list").isEmpty(), PATIENCE))
        .isTrue();
    String member =
        etcdctl(first, "member", "list")
            .lines()
            .filter(line -> line.contains(lost.name()))
            .findFirst()
            .orElseThrow()
            .split(",", -1)[0];
    etcdctl(first, "member", "remove", member);
    assertThat(
            KubeadmAdmin.awaited(
                () -> {
                  cluster().kubectl("delete", "node", lost.name(), "--ignore-not-found");
                  return true;
                },
                PATIENCE))
        .isTrue();

    KubeadmNode added = cluster().boot(2);
    KubeadmAdmin.importImage(added);
    if (plugin != null) {
      plugin.start(added);
    }
    // The administrator copies the kubeconfig to the new machine.
    added.write("/root-of-the-test/admin.conf", first.run("cat", "/etc/kubernetes/admin.conf"));
    // It refuses until the operator has dropped the lost node from the status.
    assertThat(
            KubeadmAdmin.awaited(
                () ->
                    added.succeeds(
                        Keyward.HOME.resolve("bin/keyward").toString(),
                        "node-agent",
                        "prepare",
                        "--kubeconfig",
                        "/root-of-the-test/admin.conf"),
                PATIENCE))
        .isTrue();
    cluster().join(added);
    awaitAllAtOneRevision();
    try (ApiClient own = client(2)) {
      assertThat(own.get("/api/v1/namespaces/default/secrets/s0").body()).contains("c2VzYW1l");
    }
    admin().awaitStatus("{.status.nodeStatuses[*].ready}", "true true true");
  }

  private static String etcdctl(KubeadmNode node, String... words) {
    var command =
        new ArrayList<>(
            List.of(
                "kubectl",
                "exec",
                "-n",
                "kube-system",
                "etcd-" + node.name(),
                "--",
                "etcdctl",
                "--cacert=/etc/kubernetes/pki/etcd/ca.crt",
                "--cert=/etc/kubernetes/pki/etcd/healthcheck-client.crt",
                "--key=/etc/kubernetes/pki/etcd/healthcheck-client.key"));
    command.addAll(List.of(words));
    return node.run(command.toArray(String[]::new));
  }

  /// kubeadm writes the manifests again from its own configuration.
  @Test
  @Order(7)
  void survivesAnUpgradeOfKubeadm() {
    KubeadmNode node = cluster().nodes().getFirst();
    node.write("/etc/kubernetes/upgrade.yaml", UPGRADE);
    node.run(
        "kubeadm",
        "upgrade",
        "apply",
        "v1.36.3",
        "--yes",
        "--config",
        "/etc/kubernetes/upgrade.yaml");
    cluster().nodes().stream()
        .skip(1)
        .forEach(other -> {
          other.write("/etc/kubernetes/upgrade.yaml", UPGRADE);
          other.run("kubeadm", "upgrade", "node", "--config", "/etc/kubernetes/upgrade.yaml");
        });
    awaitAllAtOneRevision();
    for (KubeadmNode each : cluster().nodes()) {
      assertThat(each.run("cat", "/etc/kubernetes/manifests/kube-apiserver.yaml"))
          .contains("encryption-provider-config", "/var/run/kmsplugin");
    }
    assertThat(cluster().kubectl("get", "secret", "s1", "-o", "jsonpath={.data.word}"))
        .isEqualTo("c2VzYW1l");
    assertThat(load().failed()).isEmpty();
  }

  private static final String UPGRADE =
      """
      apiVersion: kubeadm.k8s.io/v1beta4
      kind: UpgradeConfiguration
      apply: {ignorePreflightErrors: [SystemVerification, CoreDNSUnsupportedPlugins, CoreDNSMigration], certificateRenewal: false, etcdUpgrade: false, forceUpgrade: true}
      node: {ignorePreflightErrors: [SystemVerification], certificateRenewal: false, etcdUpgrade: false}
      timeouts: {upgradeManifests: 5m0s}
      """;

  @Test
  @Order(8)
  void decryptsAndLeaves() {
    admin().request("{\"type\":\"identity\",\"kms\":null}");
    admin()
        .awaitStatus(
            "{.status.conditions[?(@.type==\"Encrypted\")].reason}", "DecryptionCompleted");
    assertThat(admin().stored("k8s:enc:")).isZero();
    assertThat(load().failed()).isEmpty();
    Keyward removed = admin().keyward("operator", "uninstall");
    assertThat(removed.exitCode()).as(removed.out() + removed.err()).isZero();
    helm("uninstall", "keyward");
    for (KubeadmNode node : cluster().nodes()) {
      assertThat(node.run("cat", "/etc/kubernetes/manifests/kube-apiserver.yaml"))
          .doesNotContain("keyward", "encryption-provider-config");
    }
  }
}
