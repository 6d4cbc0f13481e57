package io.keyward.cli.audit;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.keys.DecryptionKeyOptions;
import io.keyward.etcd.live.Access;
import java.net.URI;
import java.nio.file.Path;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.Option;
import picocli.CommandLine.ParameterException;

/// How to reach a running etcd. A password comes from a file or the environment: arguments show in
/// the process list.
final class EtcdOptions {
  private static final int DEFAULT_PORT = 2379;
  private static final int LARGEST_PORT = 65_535;

  @Option(names = "--etcd-ca", paramLabel = "FILE", description = "CA certificates of etcd, PEM")
  private @Nullable Path authority;

  @Option(names = "--etcd-cert", paramLabel = "FILE", description = "client certificate, PEM")
  private @Nullable Path certificate;

  @Option(names = "--etcd-key", paramLabel = "FILE", description = "its key, PEM")
  private @Nullable Path key;

  @Option(names = "--etcd-user", paramLabel = "NAME", description = "where etcd has users")
  private @Nullable String user;

  @Option(
      names = "--etcd-password-file",
      paramLabel = "FILE",
      description = "the user's password; default: from the environment, KEYWARD_ETCD_PASSWORD")
  private @Nullable Path password;

  Access access(List<String> urls) {
    return access(urls, Optional.ofNullable(authority), clientCertificate());
  }

  /// With the endpoints and the files of a node of kubeadm. Files in the options would contradict
  /// them.
  Access access(CommandLine line, KubeadmEtcd node) {
    if (Stream.of(authority, certificate, key).anyMatch(Objects::nonNull)) {
      throw new ParameterException(
          line,
          "--kubeadm takes the certificates from the manifests of the node; use --etcd with"
              + " --etcd-ca, --etcd-cert and --etcd-key instead");
    }
    return access(node.urls(), node.authority(), node.certificate());
  }

  private Access access(
      List<String> urls, Optional<Path> trusted, Optional<Access.Certificate> client) {
    // Reported here with its name: the TLS library only reports that a certificate is not valid.
    trusted.ifPresent(DecryptionKeyOptions::requireReadable);
    client.ifPresent(files -> {
      DecryptionKeyOptions.requireReadable(files.chain());
      DecryptionKeyOptions.requireReadable(files.key());
    });
    return new Access(
        urls.stream().map(EtcdOptions::endpoint).toList(), trusted, client, clientUser());
  }

  private static Access.Endpoint endpoint(String url) {
    try {
      URI uri = URI.create(url);
      boolean tls = "https".equals(uri.getScheme());
      String host = uri.getHost();
      boolean known = tls || "http".equals(uri.getScheme());
      if (host != null && known && uri.getPort() <= LARGEST_PORT) {
        return new Access.Endpoint(host, uri.getPort() < 0 ? DEFAULT_PORT : uri.getPort(), tls);
      }
    } catch (IllegalArgumentException e) {
      throw notAnAddress(url);
    }
    throw notAnAddress(url);
  }

  private static CommandFailure notAnAddress(String url) {
    return new CommandFailure("not an address of etcd: " + url, "write https://HOST:2379");
  }

  private Optional<Access.Certificate> clientCertificate() {
    Path chain = certificate;
    Path privateKey = key;
    if ((chain == null) != (privateKey == null)) {
      throw new CommandFailure(
          "a client certificate needs its key", "give both --etcd-cert and --etcd-key");
    }
    return chain == null || privateKey == null
        ? Optional.empty()
        : Optional.of(new Access.Certificate(chain, privateKey));
  }

  private Optional<Access.User> clientUser() {
    String name = user;
    return name == null ? Optional.empty() : Optional.of(new Access.User(name, secret()));
  }

  private String secret() {
    Path file = password;
    String found =
        file == null
            ? System.getenv("KEYWARD_ETCD_PASSWORD")
            : DecryptionKeyOptions.read(file).strip();
    if (found == null) {
      throw new CommandFailure(
          "no password for etcd", "give --etcd-password-file, or set KEYWARD_ETCD_PASSWORD");
    }
    return found;
  }
}
