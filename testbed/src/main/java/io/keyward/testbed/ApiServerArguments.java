package io.keyward.testbed;

import io.keyward.testbed.pki.KeyPairFiles;
import io.keyward.testbed.pki.Pki;
import java.util.List;
import java.util.stream.Stream;

/// What every kube-apiserver of the testbed is started with.
final class ApiServerArguments {
  private ApiServerArguments() {}

  static List<String> of(Pki pki, Etcd etcd, int port) {
    return of(pki, etcd, pki.apiServer(), "127.0.0.1", port);
  }

  static List<String> of(Pki pki, Etcd etcd, KeyPairFiles serving, String address, int port) {
    return Stream.of(
            serving(serving, address, port),
            storage(etcd),
            accounts(pki),
            frontProxy(pki),
            features())
        .flatMap(List::stream)
        .toList();
  }

  /// The arguments that any server built on the API server library needs to reach etcd.
  static List<String> storage(Etcd etcd) {
    return List.of(
        "--etcd-servers=" + etcd.url(),
        "--etcd-cafile=" + etcd.ca(),
        "--etcd-certfile=" + etcd.client().certificate(),
        "--etcd-keyfile=" + etcd.client().key());
  }

  private static List<String> serving(KeyPairFiles serving, String address, int port) {
    return List.of(
        "--bind-address=" + address,
        "--advertise-address=127.0.0.1",
        "--secure-port=" + port,
        "--tls-cert-file=" + serving.certificate(),
        "--tls-private-key-file=" + serving.key(),
        // Endpoints may not lie on loopback, and nothing here looks for them.
        "--endpoint-reconciler-type=none",
        "--service-cluster-ip-range=10.0.0.0/24");
  }

  private static List<String> accounts(Pki pki) {
    return List.of(
        "--client-ca-file=" + pki.clusterCa(),
        "--authorization-mode=RBAC",
        "--service-account-issuer=https://kubernetes.default.svc",
        "--service-account-key-file=" + pki.serviceAccountPublicKey(),
        "--service-account-signing-key-file=" + pki.serviceAccountKey(),
        // It would refuse every pod: no controller here makes service accounts for it.
        "--disable-admission-plugins=ServiceAccount",
        "--allow-privileged=true");
  }

  private static List<String> frontProxy(Pki pki) {
    KeyPairFiles client = pki.frontProxyClient();
    return List.of(
        "--requestheader-client-ca-file=" + pki.frontProxyCa(),
        "--requestheader-allowed-names=front-proxy-client",
        "--requestheader-username-headers=X-Remote-User",
        "--requestheader-group-headers=X-Remote-Group",
        "--requestheader-extra-headers-prefix=X-Remote-Extra-",
        "--proxy-client-cert-file=" + client.certificate(),
        "--proxy-client-key-file=" + client.key());
  }

  private static List<String> features() {
    return List.of(
        "--feature-gates=StorageVersionMigrator=true",
        "--runtime-config=storagemigration.k8s.io/v1beta1=true");
  }
}
