package io.keyward.etcd.live;

import java.nio.file.Path;
import java.util.List;
import java.util.Optional;

/// How to reach etcd, and as whom. Prints neither the password nor the key.
///
/// `endpoints` are members of one cluster: when one does not answer, the next is asked. `authority`
/// is the file with the CA's certificates; without it the JDK's own are trusted.
public record Access(
    List<Endpoint> endpoints,
    Optional<Path> authority,
    Optional<Certificate> certificate,
    Optional<User> user) {
  public Access {
    endpoints = List.copyOf(endpoints);
    if (endpoints.isEmpty()) {
      throw new IllegalArgumentException("no endpoint");
    }
  }

  /// A client certificate and its key (PKCS#8, PKCS#1 or SEC1), both PEM.
  public record Certificate(Path chain, Path key) {}

  /// Name and password, where etcd has authentication switched on.
  public record User(String name, String password) {
    @Override
    public String toString() {
      return "User[" + name + "]";
    }
  }

  /// Host and port.
  public record Endpoint(String host, int port, boolean tls) {
    @Override
    public String toString() {
      return (tls ? "https://" : "http://") + host + ":" + port;
    }
  }
}
