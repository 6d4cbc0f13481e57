package io.keyward.node.check;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kube.client.ClusterAccess;
import io.keyward.node.check.CheckResult.Outcome;
import io.keyward.node.host.HostKind;
import io.keyward.node.host.KubeadmHost;
import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.time.Instant;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// What files and a certificate show. `KubeadmEncryptionIT` runs the checks on a node.
final class NodeCheckTest {
  private static final String CONFIG = "etc/kubernetes/keyward/kube-apiserver/encryption-config";
  private static final Map<String, byte[]> CONTENT =
      Map.of("encryption-config", "{\"resources\":[]}".getBytes(UTF_8));

  @TempDir private Path root;
  private HostKind.Kubeadm place = new HostKind.Kubeadm(Path.of(""), Path.of(""));
  private Path kubeconfig = Path.of("");

  @BeforeEach
  void node() throws IOException {
    place = new HostKind.Kubeadm(root, Path.of("/etc/kubernetes/manifests"));
    Files.createDirectories(root.resolve("etc/kubernetes/manifests"));
    Files.writeString(
        root.resolve("etc/kubernetes/manifests/kube-apiserver.yaml"),
        """
        apiVersion: v1
        kind: Pod
        metadata: {name: kube-apiserver, labels: {component: kube-apiserver}}
        spec:
          containers:
          - name: kube-apiserver
            image: registry.k8s.io/kube-apiserver:v1.36.3
            command: [kube-apiserver, --advertise-address=127.0.0.1, --secure-port=1]
            volumeMounts: []
          volumes: []
        """);
    KeyPairFiles user =
        Pki.create(root.resolve("pki")).user("system:node:a", Optional.of("system:nodes"));
    kubeconfig =
        Files.writeString(
            root.resolve("kubelet.conf"),
            """
            apiVersion: v1
            kind: Config
            clusters: [{name: c, cluster: {server: "https://127.0.0.1:1"}}]
            users: [{name: u, user: {client-certificate: %s, client-key: %s}}]
            contexts: [{name: x, context: {cluster: c, user: u}}]
            current-context: x
            """
                .formatted(user.certificate(), user.key()));
  }

  private CheckResult result(String name, Duration later) {
    var access = ClusterAccess.of(Optional.of(kubeconfig));
    return new NodeCheck(place, access, Instant.now().plus(later))
        .run().stream().filter(one -> one.name().equals(name)).findFirst().orElseThrow();
  }

  private CheckResult result(String name) {
    return result(name, Duration.ZERO);
  }

  private void assertFails(String name, String detail) {
    assertThat(result(name).outcome()).as(result(name).detail()).isEqualTo(Outcome.FAILED);
    assertThat(result(name).detail()).contains(detail);
  }

  @Test
  void aCertificateIsReportedBeforeItExpires() {
    assertThat(result("credentials").outcome()).isEqualTo(Outcome.OK);
    Instant end = Instant.parse(result("credentials").detail().replaceAll(".* ", ""));
    Duration left = Duration.between(Instant.now(), end);
    CheckResult late = result("credentials", left.minusMinutes(1));
    assertThat(late.outcome()).isEqualTo(Outcome.WARNING);
    assertThat(late.detail()).contains("expires at " + end, "rotateCertificates");
    CheckResult over = result("credentials", left.plusMinutes(1));
    assertThat(over.outcome()).isEqualTo(Outcome.FAILED);
    assertThat(over.detail()).contains("expired at " + end);
  }

  @Test
  void everyCheckRunsThoughTheApiServerDoesNotRespond() {
    assertFails("API server", "https://127.0.0.1:1");
    assertFails("permissions", "the connection is refused");
    assertFails("node agent", "keyward operator install");
    assertThat(result("configuration").outcome()).isEqualTo(Outcome.OK);
  }

  @Test
  void credentialsThatCannotBeReadAreAFailedCheck() {
    kubeconfig = root.resolve("missing");
    assertFails("credentials", "does not exist");
  }

  @Test
  void theFilesOfARevisionAreChecked() throws IOException {
    new KubeadmHost(place).write(3, CONTENT, Optional.empty(), Optional.empty());
    assertThat(result("configuration"))
        .isEqualTo(
            new CheckResult(
                "configuration",
                Outcome.OK,
                "/" + CONFIG + " is revision 3, and the manifest names it"));
    Path config = root.resolve(CONFIG);
    Files.setPosixFilePermissions(config, PosixFilePermissions.fromString("rw-r--r--"));
    assertFails("configuration", "must have mode 0600");
    Files.writeString(config, "{}");
    assertFails("configuration", "is not revision 3 as the node agent wrote it");
  }

  @Test
  void aManifestWithoutTheFlagIsReported() throws IOException {
    var host = new KubeadmHost(place);
    host.write(3, CONTENT, Optional.empty(), Optional.empty());
    host.strip();
    assertFails("configuration", "does not name /" + CONFIG);
  }

  @Test
  void aFlagWithoutARevisionIsReported() throws IOException {
    new KubeadmHost(place).write(3, CONTENT, Optional.empty(), Optional.empty());
    for (String file : new String[] {CONFIG + ".revision", CONFIG}) {
      Files.delete(root.resolve(file));
    }
    assertFails("configuration", "which no node agent wrote");
  }
}
