package io.keyward.testbed.pki;

import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.security.KeyPair;
import java.util.List;
import java.util.Optional;

/// All certificates and keys of one control plane, as files in one directory that only its owner
/// can enter. Three authorities, so that a client of one server is nobody to the others: `ca` for
/// the API servers, `etcd-ca` for etcd, `front-proxy-ca` for calls that API servers pass on.
public final class Pki {
  private final Path directory;
  private final Authority cluster;
  private final Authority etcd;
  private final Authority frontProxy;

  private Pki(Path directory, Authority cluster, Authority etcd, Authority frontProxy) {
    this.directory = directory;
    this.cluster = cluster;
    this.etcd = etcd;
    this.frontProxy = frontProxy;
  }

  /// Makes all authorities and keys; the directory must not hold others.
  public static Pki create(Path directory) {
    createPrivateDirectory(directory);
    KeyPair serviceAccounts = Authority.newKeyPair();
    PemText.writePrivateKey(
        directory.resolve("service-account.key"), serviceAccounts.getPrivate().getEncoded());
    PemText.writePublicKey(
        directory.resolve("service-account.pub"), serviceAccounts.getPublic().getEncoded());
    return new Pki(
        directory,
        Authority.create(directory, "ca"),
        Authority.create(directory, "etcd-ca"),
        Authority.create(directory, "front-proxy-ca"));
  }

  public static Pki open(Path directory) {
    return new Pki(
        directory,
        Authority.open(directory, "ca"),
        Authority.open(directory, "etcd-ca"),
        Authority.open(directory, "front-proxy-ca"));
  }

  public Path directory() {
    return directory;
  }

  public Path clusterCa() {
    return cluster.certificate();
  }

  public Path etcdCa() {
    return etcd.certificate();
  }

  public Path frontProxyCa() {
    return frontProxy.certificate();
  }

  public Path serviceAccountKey() {
    return directory.resolve("service-account.key");
  }

  public Path serviceAccountPublicKey() {
    return directory.resolve("service-account.pub");
  }

  public KeyPairFiles etcdServer() {
    return etcd.issueServer("etcd-server", List.of("localhost"));
  }

  public KeyPairFiles etcdPeer() {
    return etcd.issueServer("etcd-peer", List.of("localhost"));
  }

  public KeyPairFiles etcdClient() {
    return etcd.issueClient("etcd-client", "keyward-etcd-client", Optional.empty());
  }

  public KeyPairFiles apiServer() {
    return cluster.issueServer(
        "kube-apiserver",
        List.of(
            "localhost",
            "kubernetes",
            "kubernetes.default",
            "kubernetes.default.svc",
            "kubernetes.default.svc.cluster.local"));
  }

  /// A certificate for any other server that listens on loopback.
  public KeyPairFiles server(String name, List<String> dnsNames) {
    return cluster.issueServer("server-" + name, dnsNames);
  }

  /// May do everything, whatever RBAC says.
  public KeyPairFiles admin() {
    return cluster.issueClient("admin", "keyward-admin", Optional.of("system:masters"));
  }

  public KeyPairFiles controllerManager() {
    return cluster.issueClient(
        "kube-controller-manager", "system:kube-controller-manager", Optional.empty());
  }

  public KeyPairFiles frontProxyClient() {
    return frontProxy.issueClient("front-proxy-client", "front-proxy-client", Optional.empty());
  }

  /// A user of the cluster that may do what RBAC grants to its name and group.
  public KeyPairFiles user(String name, Optional<String> group) {
    return cluster.issueClient("user-" + name, name, group);
  }

  private static void createPrivateDirectory(Path directory) {
    try {
      Files.createDirectories(directory);
      Files.setPosixFilePermissions(directory, PosixFilePermissions.fromString("rwx------"));
    } catch (IOException e) {
      throw new TestbedException(
          "cannot create " + directory, "use a directory that you may write to", e);
    }
  }
}
