package io.keyward.testbed.kubeadm;

import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// An etcd that administrators run themselves: kubeadm gets its address and a client certificate.
final class ExternalEtcd {
  /// Where a node has the certificates.
  private static final String DIRECTORY = "/etc/kubernetes/external-etcd";

  private static final String URL = "https://" + KubeadmConfig.ENDPOINT + ":2379";

  private final Path data;
  private final Path authority;
  private final KeyPairFiles server;
  private final KeyPairFiles client;

  ExternalEtcd(Path home) {
    Pki pki = Pki.create(home.resolve("external-etcd-pki"));
    data = home.resolve("external-etcd");
    authority = pki.clusterCa();
    server = pki.server("external-etcd", List.of(KubeadmConfig.ENDPOINT));
    client = pki.user("apiserver-etcd-client", Optional.empty());
  }

  /// The command that serves on the bridge of a cluster.
  List<String> command(String network, Path program) {
    return List.of(
        "ip",
        "netns",
        "exec",
        network,
        program.toString(),
        "--name=external",
        "--data-dir=" + data,
        "--listen-client-urls=https://10.213.0.1:2379",
        "--advertise-client-urls=" + URL,
        "--listen-peer-urls=http://127.0.0.1:2380",
        "--initial-advertise-peer-urls=http://127.0.0.1:2380",
        "--initial-cluster=external=http://127.0.0.1:2380",
        "--cert-file=" + server.certificate(),
        "--key-file=" + server.key(),
        "--client-cert-auth",
        "--trusted-ca-file=" + authority,
        "--unsafe-no-fsync");
  }

  void install(KubeadmNode node) {
    try {
      node.write(DIRECTORY + "/ca.crt", Files.readString(authority));
      node.write(DIRECTORY + "/client.crt", Files.readString(client.certificate()));
      node.write(DIRECTORY + "/client.key", Files.readString(client.key()));
    } catch (IOException e) {
      throw new TestbedException("cannot read " + authority, "choose another directory", e);
    }
  }

  /// The member `etcd` of a ClusterConfiguration.
  static String configuration() {
    return "{external: {endpoints: [\"%1$s\"], caFile: %2$s/ca.crt, certFile: %2$s/client.crt, keyFile: %2$s/client.key}}"
        .formatted(URL, DIRECTORY);
  }
}
