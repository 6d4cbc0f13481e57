package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.fail;
import static org.junit.jupiter.api.Assumptions.abort;

import io.keyward.testbed.ApiClient;
import io.keyward.testbed.kubeadm.ContainerHost;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.kubeadm.KubeadmNode;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.net.URI;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import java.util.function.Predicate;

/// An administrator of a cluster of kubeadm, who has kubectl and keyward. API servers restart
/// meanwhile, so some calls find none and are repeated.
final class KubeadmAdmin {
  static final Duration LIMIT = Duration.ofMinutes(10);

  private final KubeadmCluster cluster;

  KubeadmAdmin(KubeadmCluster cluster) {
    this.cluster = cluster;
  }

  /// Where containers cannot run, these tests fail unless the build is told so.
  static void requireContainers() {
    ContainerHost.problem()
        .ifPresent(problem -> {
          if (Boolean.getBoolean("noContainers")) {
            abort(problem);
          }
          fail(problem + " To leave these tests out: ./mvnw verify -DnoContainers");
        });
  }

  /// @param credentials where the cluster has written them
  static ApiClient client(URI server, Path credentials) {
    return new ApiClient(
        server,
        credentials.resolve("ca.crt"),
        new KeyPairFiles(credentials.resolve("admin.crt"), credentials.resolve("admin.key")));
  }

  static void importImage(KubeadmNode node) {
    node.run(
        "ctr",
        "-n",
        "k8s.io",
        "images",
        "import",
        Artefacts.one("keyward-*-image-amd64.tar").toString());
  }

  Keyward keyward(String... words) {
    var all = new ArrayList<>(List.of(words));
    all.addAll(List.of("--kubeconfig", cluster.kubeconfig().toString()));
    return Keyward.run(all.toArray(String[]::new));
  }

  void request(String encryption) {
    patch("{\"spec\":{\"encryption\":" + encryption + "}}");
  }

  void patch(String patch) {
    awaited(
        () -> {
          cluster.kubectl("patch", "clusterencryption", "cluster", "--type=merge", "-p", patch);
          return true;
        },
        LIMIT);
  }

  /// A question that a restarting API server does not answer is asked again.
  static boolean awaited(BooleanSupplier question, Duration limit) {
    return Waiting.until(
        () -> {
          try {
            return question.getAsBoolean();
          } catch (TestbedException _) {
            return false;
          }
        },
        limit);
  }

  void awaitStatus(String column, String value) {
    boolean done =
        awaited(
            () ->
                cluster
                    .kubectl("get", "clusterencryption", "cluster", "-o", "jsonpath=" + column)
                    .contains(value),
            LIMIT);
    assertThat(done)
        .as(() -> "no " + value + ": " + keyward("status").out() + keyward("explain").out())
        .isTrue();
  }

  void awaitKey(String key) {
    awaitStatus("{.status.writeKey}", key);
    awaitStatus("{.status.conditions[?(@.type==\"Encrypted\")].status}", "True");
  }

  /// How many Secrets s0, s1 and so on etcd has with this prefix.
  long stored(String prefix) {
    return stored(cluster, "/registry/secrets/default/s", value -> value.startsWith(prefix));
  }

  /// How many values etcd has below a key, by one of their lines.
  static long stored(KubeadmCluster cluster, String key, Predicate<String> line) {
    String values =
        cluster.kubectl(
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
            key,
            "--prefix",
            "--print-value-only");
    return values.lines().filter(line).count();
  }

  void awaitStored(String prefix, long count) {
    assertThat(awaited(() -> stored(prefix) == count, LIMIT)).as(prefix).isTrue();
  }
}
