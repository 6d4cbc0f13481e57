package io.keyward.node.host;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.keyward.kube.client.ClusterFailure;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public final class KubeadmHostTest {
  private static final String FLAG =
      "--encryption-provider-config=/etc/kubernetes/keyward/kube-apiserver/encryption-config";
  private static final String KMS =
      """
      {"resources":[{"providers":[{"kms":{"name":"1_secrets","endpoint":"unix:///run/kms/a.sock"}}]}]}
      """;
  private static final String POD =
      """
      apiVersion: v1
      kind: Pod
      metadata:
        labels:
          component: kube-apiserver
        name: kube-apiserver
      spec:
        containers:
        - name: kube-apiserver
          image: registry.k8s.io/kube-apiserver:v1.36.3
          command:
          - kube-apiserver
          - --advertise-address=10.0.0.10
          - --secure-port=6443
          volumeMounts:
          - mountPath: /etc/kubernetes/pki
            name: k8s-certs
            readOnly: true
        volumes:
        - hostPath:
            path: /etc/kubernetes/pki
            type: DirectoryOrCreate
          name: k8s-certs
      """;

  @TempDir private Path root;
  private Path manifest = Path.of("");
  private HostKind.Kubeadm place = new HostKind.Kubeadm(Path.of(""), Path.of(""));
  private KubeadmHost host = new KubeadmHost(place);

  @BeforeEach
  void node() throws IOException {
    Files.createDirectories(root.resolve("etc/kubernetes/manifests"));
    manifest = root.resolve("etc/kubernetes/manifests/kube-apiserver.yaml");
    Files.writeString(manifest, POD);
    place = new HostKind.Kubeadm(root, Path.of("/etc/kubernetes/manifests"));
    host = new KubeadmHost(place);
  }

  private void write(long revision, String config) {
    host.write(
        revision,
        Map.of("encryption-config", config.getBytes(UTF_8)),
        Optional.empty(),
        Optional.empty());
  }

  private String text() throws IOException {
    return Files.readString(manifest);
  }

  @Test
  void addsTheConfigurationToTheManifestOfKubeadm() throws IOException {
    write(3, KMS);
    Path file = root.resolve("etc/kubernetes/keyward/kube-apiserver/encryption-config");
    assertThat(file).hasContent(KMS.strip());
    assertThat(PosixFilePermissions.toString(Files.getPosixFilePermissions(file)))
        .isEqualTo("rw-------");
    assertThat(text())
        .contains(FLAG, "revision: '3'", "mountPath: /run/kms", "image: registry.k8s.io")
        .contains("--secure-port=6443", "path: /etc/kubernetes/pki");
    assertThat(host.revision()).isEqualTo(3);
    assertThat(host.isIntact()).isTrue();
    assertThat(host.existing()).isEmpty();
  }

  @Test
  void theNextRevisionChangesTheLabelAlone() throws IOException {
    write(3, KMS);
    String before = text();
    write(4, KMS);
    assertThat(text()).isEqualTo(before.replace("revision: '3'", "revision: '4'"));
  }

  private static final String SIDECARS =
      """
      {"containers":[{"name":"keyward-kms-plugin","image":"keyward:1","monitors":true,
        "command":["java"],"arguments":["plugin"],"ready":["java","ready"],"directories":[]}],
       "sockets":["/run/kms"]}
      """;

  /// The API server and its plugins come and go together, and only the plugins see credentials.
  @Test
  void runsPluginsBesideTheApiServer() throws IOException {
    host.write(
        3,
        Map.of(
            "encryption-config", KMS.getBytes(UTF_8),
            "keyward-sidecars", SIDECARS.getBytes(UTF_8),
            "kms-plugin-secret-login_secret-id-1", "canary".getBytes(UTF_8)),
        Optional.empty(),
        Optional.empty());
    assertThat(text())
        .contains("name: keyward-kms-plugin", "path: /etc/kubernetes/keyward/kms-plugin/3")
        .contains("emptyDir: {}")
        .doesNotContain("canary", "name: kms-sockets-");
    assertThat(root.resolve("etc/kubernetes/keyward/kube-apiserver"))
        .isDirectoryNotContaining("glob:**kms-plugin*");
    assertThat(host.repair()).isEmpty();

    Files.writeString(manifest, POD.replace("v1.36.3", "v1.36.4"));
    assertThat(host.repair()).isPresent();
    assertThat(text()).contains("name: keyward-kms-plugin", "v1.36.4");

    write(4, "{}");
    assertThat(text()).doesNotContain("keyward-kms");
    assertThat(root.resolve("etc/kubernetes/keyward/kms-plugin/3")).exists();
    host.strip();
    assertThat(text())
        .contains("v1.36.4", "path: /etc/kubernetes/pki")
        .doesNotContain("keyward", "initContainers", "annotations", "emptyDir");
  }

  /// The plugins that run have read their files: to stop them would stop the API server.
  @Test
  void keepsPluginsWhoseFilesAreGone() throws IOException {
    host.write(
        3,
        Map.of(
            "encryption-config",
                KMS.replace("/run/kms/a", "/var/run/keyward-kms/kms-1").getBytes(UTF_8),
            "keyward-sidecars",
                SIDECARS.replace("/run/kms", "/var/run/keyward-kms").getBytes(UTF_8)),
        Optional.empty(),
        Optional.empty());
    String before = text();
    assertThat(before).contains("name: keyward-kms-plugin");
    FileTree.delete(root.resolve("etc/kubernetes/keyward/kms-plugin"));
    assertThatThrownBy(host::repair)
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining("are missing");
    assertThat(text()).isEqualTo(before);
  }

  /// Repaired without any API server, whatever kubeadm changed besides.
  @Test
  void repairsAManifestThatKubeadmWroteAgain() throws IOException {
    write(3, KMS);
    Files.writeString(manifest, POD.replace("v1.36.3", "v1.36.4"));
    assertThat(host.repair()).hasValueSatisfying(done -> assertThat(done).contains("revision 3"));
    assertThat(text()).contains(FLAG, "v1.36.4", "revision: '3'").doesNotContain("v1.36.3");
    assertThat(host.repair()).isEmpty();
  }

  /// The API server may run a file that somebody edited and restored.
  @Test
  void aRestartMakesItAnotherPod() throws IOException {
    write(3, KMS);
    String before = text();
    host.restart(Duration.ofSeconds(1));
    String first = text();
    host.restart(Duration.ofSeconds(1));
    assertThat(first).isNotEqualTo(before).contains(FLAG, "revision: '3'");
    assertThat(text()).isNotEqualTo(first);
    assertThat(host.strip()).isTrue();
    assertThat(text()).doesNotContain("keyward");
  }

  @Test
  void aMissingLabelAloneIsNoRepair() throws IOException {
    write(3, KMS);
    String regenerated = text().replaceAll(" *revision: .*\n", "");
    Files.writeString(manifest, regenerated);
    assertThat(host.repair()).isEmpty();
    assertThat(text()).isEqualTo(regenerated);
  }

  @Test
  void repairsNothingBeforeTheFirstRevision() throws IOException {
    assertThat(host.repair()).isEmpty();
    assertThat(text()).isEqualTo(POD);
  }

  /// The file may hold the only copy of a key.
  @Test
  void leavesAConfigurationThatItDidNotCreate() throws IOException {
    Files.createDirectories(root.resolve("etc/kubernetes/enc"));
    Files.writeString(
        root.resolve("etc/kubernetes/enc/enc.yaml"),
        "kind: EncryptionConfiguration\nresources: [{resources: [secrets],"
            + " providers: [{aescbc: {keys: [{name: a, secret: b}]}}]}]\n");
    Files.writeString(
        manifest,
        POD.replace(
                "- --secure-port=6443",
                "- --encryption-provider-config=/etc/kubernetes/enc/enc.yaml")
            .replace(
                "  volumes:\n",
                "  volumes:\n  - {name: e, hostPath: {path: /etc/kubernetes/enc}}\n")
            .replace(
                "volumeMounts:\n",
                "volumeMounts:\n    - {name: e, mountPath: /etc/kubernetes/enc}\n"));
    assertThat(host.existing())
        .hasValueSatisfying(
            found -> assertThat(found.words()).contains("aescbc", "/etc/kubernetes/enc/enc.yaml"));
  }

  @Test
  void aManifestThatCannotBeReadIsNotReplaced() throws IOException {
    Files.writeString(manifest, "a: [");
    assertThat(host.existing()).isPresent();
    assertThatThrownBy(() -> write(1, KMS)).isInstanceOf(ClusterFailure.class);
    assertThat(text()).isEqualTo("a: [");
  }

  @ParameterizedTest
  @CsvSource({
    "10.0.0.10,       6443, https://10.0.0.10:6443",
    "10.0.0.10,       8443, https://10.0.0.10:8443",
    "fd00::10,        6443, https://[fd00::10]:6443"
  })
  void reachesTheApiServerByANameOfItsCertificate(String host, String port, String url)
      throws IOException {
    Files.writeString(manifest, POD.replace("10.0.0.10", host).replace("6443", port));
    assertThat(KubeadmHost.address(place)).contains(url);
  }

  /// kubeadm then writes a manifest that names the file, and starts the API server with it.
  @Test
  void preparesAMachineWithoutAnApiServer() throws IOException {
    Files.delete(manifest);
    host.prepare(4, Map.of("encryption-config", KMS.getBytes(UTF_8)));
    assertThat(root.resolve("etc/kubernetes/keyward/kube-apiserver/encryption-config"))
        .hasContent(KMS.strip());
    assertThat(host.revision()).isEqualTo(4);
    assertThat(host.isIntact()).isTrue();
    assertThat(manifest).doesNotExist();
  }

  @Test
  void preparesNoControlPlaneNode() {
    assertThatThrownBy(() -> host.prepare(4, Map.of("encryption-config", KMS.getBytes(UTF_8))))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining("is a control-plane node already");
    assertThat(root.resolve("etc/kubernetes/keyward")).doesNotExist();
  }

  @Test
  void preparesNoMachineWithAnotherConfiguration() throws IOException {
    Files.delete(manifest);
    Path file = root.resolve("etc/kubernetes/keyward/kube-apiserver/encryption-config");
    Files.createDirectories(file.getParent());
    Files.writeString(file, KMS);
    assertThatThrownBy(() -> host.prepare(4, Map.of("encryption-config", "{}".getBytes(UTF_8))))
        .isInstanceOf(ClusterFailure.class)
        .hasMessageContaining("that Keyward did not create");
    assertThat(file).hasContent(KMS.strip());
  }
}
