package io.keyward.cli.audit;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Cli;
import io.keyward.testbed.ControlPlane;
import io.keyward.testbed.Etcd;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A real etcd that requires client certificates, behind a manifest as kubeadm writes it.
final class KubeadmAuditIT {
  @Test
  void theManifestIsEnoughToAuditARunningEtcd(@TempDir Path root) throws Exception {
    try (ControlPlane plane = ControlPlane.builder(root.resolve("plane")).create()) {
      Etcd etcd = plane.etcd();
      etcd.startReady();
      etcd.ctl("put", "/registry/secrets/a/b", "k8s:enc:aescbc:v1:k:x");
      Path pki = Files.createDirectories(root.resolve("node/etc/kubernetes/pki"));
      Files.copy(etcd.ca(), pki.resolve("ca.crt"));
      Files.copy(etcd.client().certificate(), pki.resolve("client.crt"));
      Path key = pki.resolve("client.key");
      openssl("ec", "-in", etcd.client().key().toString(), "-out", key.toString());
      assertThat(key).content().startsWith("-----BEGIN EC PRIVATE KEY-----");
      manifest(root.resolve("node"), etcd.url().toString());

      Cli.Result sealed = audit(root);
      assertThat(sealed.exit()).as(sealed.err()).isZero();
      etcd.ctl("put", "/registry/secrets/a/c", "plain");
      Cli.Result plain = audit(root);
      assertThat(plain.exit()).as(plain.err()).isEqualTo(1);
      assertThat(plain.out()).contains("/registry/secrets/a/c");
    }
  }

  private static Cli.Result audit(Path root) {
    return Cli.run("audit", "--kubeadm", "--host-root", root.resolve("node").toString());
  }

  private static void manifest(Path node, String url) throws IOException {
    Path manifests = Files.createDirectories(node.resolve("etc/kubernetes/manifests"));
    Files.writeString(
        manifests.resolve("kube-apiserver.yaml"),
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: kube-apiserver, namespace: kube-system}
        spec:
          containers:
          - name: kube-apiserver
            command:
            - kube-apiserver
            - --etcd-cafile=/etc/kubernetes/pki/ca.crt
            - --etcd-certfile=/etc/kubernetes/pki/client.crt
            - --etcd-keyfile=/etc/kubernetes/pki/client.key
            - --etcd-servers=%s
        """
            .formatted(url));
  }

  private static void openssl(String... words) throws IOException, InterruptedException {
    var command = new ArrayList<>(List.of("openssl"));
    command.addAll(List.of(words));
    Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
    String output = new String(process.getInputStream().readAllBytes(), UTF_8);
    assertThat(process.waitFor()).as(output).isZero();
  }
}
