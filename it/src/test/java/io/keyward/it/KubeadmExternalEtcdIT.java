package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.testbed.binary.ServerBinaries;
import io.keyward.testbed.kubeadm.KubeadmCluster;
import io.keyward.testbed.kubeadm.KubeadmNode;
import java.nio.file.Path;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// The quick start on a cluster whose etcd kubeadm does not manage: no static pod of etcd, and the
/// certificates elsewhere. The audit finds both in the manifest of the API server.
@Tag("long")
final class KubeadmExternalEtcdIT {
  @Test
  void followsTheQuickStart(@TempDir Path temporary) {
    KubeadmAdmin.requireContainers();
    try (var cluster =
        KubeadmCluster.startWithExternalEtcd(
            temporary.resolve("c"), ServerBinaries.ofThisMachine(), _ -> {})) {
      KubeadmNode node = cluster.nodes().getFirst();
      assertThat(node.run("ls", "/etc/kubernetes/manifests")).doesNotContain("etcd.yaml");
      cluster.kubectl("create", "secret", "generic", "word", "--from-literal=word=sesame");
      QuickStart quickStart = QuickStart.on(node);
      quickStart.run("quick-start");
      assertThat(node.run("keyward", "audit", "--kubeadm")).contains("aescbc");
      quickStart.run("quick-start-remove");
      assertThat(cluster.kubectl("get", "secret", "word", "-o", "jsonpath={.data.word}"))
          .isEqualTo("c2VzYW1l");
    }
  }
}
