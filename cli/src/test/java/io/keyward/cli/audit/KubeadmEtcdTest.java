package io.keyward.cli.audit;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Cli;
import io.keyward.etcd.live.Access;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// The manifests have the flags and volumes that kubeadm 1.36 writes.
final class KubeadmEtcdTest {
  @TempDir private Path root;
  private Path manifests;

  @BeforeEach
  void aNode() throws IOException {
    manifests = Files.createDirectories(root.resolve("etc/kubernetes/manifests"));
  }

  @Test
  void aStackedEtcdIsReachedAsTheApiServerReachesIt() throws IOException {
    apiServer(
        "--etcd-cafile=/etc/kubernetes/pki/etcd/ca.crt",
        "--etcd-certfile=/etc/kubernetes/pki/apiserver-etcd-client.crt",
        "--etcd-keyfile=/etc/kubernetes/pki/apiserver-etcd-client.key",
        "--etcd-servers=https://127.0.0.1:2379");
    KubeadmEtcd found = KubeadmEtcd.of(root);
    Path pki = root.resolve("etc/kubernetes/pki");
    assertThat(found.urls()).containsExactly("https://127.0.0.1:2379");
    assertThat(found.authority()).contains(pki.resolve("etcd/ca.crt"));
    assertThat(found.certificate())
        .contains(
            new Access.Certificate(
                pki.resolve("apiserver-etcd-client.crt"),
                pki.resolve("apiserver-etcd-client.key")));
    assertThat(found.prefix()).isEmpty();
  }

  @Test
  void anExternalEtcdHasSeveralMembersAndFilesOfItsOwn() throws IOException {
    apiServer(
        "--etcd-cafile=/etcd-certs/ca.crt",
        "--etcd-certfile=/etcd-certs/client.crt",
        "--etcd-keyfile=/etcd-certs/client.key",
        "--etcd-prefix=/prod",
        "--etcd-servers=https://etcd-0:2379,https://etcd-1:2379");
    KubeadmEtcd found = KubeadmEtcd.of(root);
    assertThat(found.urls()).containsExactly("https://etcd-0:2379", "https://etcd-1:2379");
    assertThat(found.authority())
        .as("a path of the node, not of the container")
        .contains(root.resolve("opt/etcd/ca.crt"));
    assertThat(found.prefix()).contains("/prod");
  }

  @Test
  void withoutAnApiServerTheManifestOfEtcdCounts() throws IOException {
    etcd(
        "--advertise-client-urls=https://10.0.0.5:2379",
        "--listen-client-urls=https://127.0.0.1:2379,https://10.0.0.5:2379",
        "--trusted-ca-file=/etc/kubernetes/pki/etcd/ca.crt");
    KubeadmEtcd found = KubeadmEtcd.of(root);
    Path pki = root.resolve("etc/kubernetes/pki/etcd");
    assertThat(found.urls()).containsExactly("https://127.0.0.1:2379", "https://10.0.0.5:2379");
    assertThat(found.authority()).contains(pki.resolve("ca.crt"));
    assertThat(found.certificate().map(Access.Certificate::key))
        .contains(pki.resolve("healthcheck-client.key"));
  }

  @Test
  void anAddressThatMeansAllInterfacesIsNotUsed() throws IOException {
    etcd(
        "--advertise-client-urls=https://10.0.0.5:2379",
        "--listen-client-urls=https://0.0.0.0:2379,https://[::]:2379");
    assertThat(KubeadmEtcd.of(root).urls()).containsExactly("https://10.0.0.5:2379");
  }

  @Test
  void aNodeWithoutManifestsGetsARemedy() {
    assertFails("there is neither kube-apiserver.yaml nor etcd.yaml in " + manifests, "as root");
  }

  @Test
  void aFileThatIsNoManifestGetsARemedy() throws IOException {
    Files.writeString(manifests.resolve("kube-apiserver.yaml"), "kind: List\n");
    assertFails("kube-apiserver.yaml is not the manifest of a pod", "kubeadm init phase");
  }

  @Test
  void aManifestWithoutAnEtcdGetsARemedy() throws IOException {
    apiServer("--v=2");
    assertFails("kube-apiserver.yaml does not set --etcd-servers", "--etcd URL");
  }

  @Test
  void resourcesInAnotherEtcdAreNotPassedOver() throws IOException {
    apiServer(
        "--etcd-servers=https://127.0.0.1:2379",
        "--etcd-servers-overrides=/events#https://127.0.0.1:4379");
    assertFails("stores some resources in another etcd", "--etcd");
  }

  @Test
  void aMissingCertificateIsNamed() throws IOException {
    apiServer(
        "--etcd-servers=https://127.0.0.1:1", "--etcd-cafile=/etc/kubernetes/pki/etcd/ca.crt");
    assertFails(root.resolve("etc/kubernetes/pki/etcd/ca.crt").toString(), "");
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          --kubeadm --snapshot a.db                            | mutually exclusive
          --kubeadm --etcd https://127.0.0.1:2379              | mutually exclusive
          --kubeadm --host-root ROOT --etcd-ca a.crt           | from the manifests of the node
          --kubeadm --host-root ROOT --etcd-cert a --etcd-key b | from the manifests of the node
          --snapshot a.db --host-root ROOT                     | --host-root needs --kubeadm
          """)
  void contradictionsAreWrongUsage(String options, String problem) throws IOException {
    apiServer("--etcd-servers=https://127.0.0.1:1");
    var words = new ArrayList<>(List.of("audit"));
    words.addAll(List.of(options.replace("ROOT", root.toString()).split(" ", -1)));
    Cli.Result result = Cli.run(words.toArray(String[]::new));
    assertThat(result.exit()).as(result.err()).isEqualTo(64);
    assertThat(result.err()).contains(problem);
  }

  private void assertFails(String problem, String remedy) {
    Cli.Result result = Cli.run("audit", "--kubeadm", "--host-root", root.toString());
    assertThat(result.exit()).as(result.err()).isEqualTo(2);
    assertThat(result.err()).contains(problem).contains(remedy);
  }

  private void apiServer(String... flags) throws IOException {
    write("kube-apiserver", flags);
  }

  private void etcd(String... flags) throws IOException {
    write("etcd", flags);
  }

  private void write(String program, String... flags) throws IOException {
    var text = new StringBuilder();
    for (String flag : flags) {
      text.append("    - ").append(flag).append('\n');
    }
    Files.writeString(
        manifests.resolve(program + ".yaml"),
        """
        apiVersion: v1
        kind: Pod
        metadata:
          name: %1$s
          namespace: kube-system
        spec:
          containers:
          - name: %1$s
            command:
            - %1$s
        %2$s    volumeMounts:
            - {mountPath: /etc/kubernetes/pki, name: k8s-certs, readOnly: true}
            - {mountPath: /etcd-certs, name: etcd-certs, readOnly: true}
          volumes:
          - {hostPath: {path: /etc/kubernetes/pki, type: DirectoryOrCreate}, name: k8s-certs}
          - {hostPath: {path: /opt/etcd, type: DirectoryOrCreate}, name: etcd-certs}
        """
            .formatted(program, text));
  }
}
