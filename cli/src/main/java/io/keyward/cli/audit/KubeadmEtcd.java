package io.keyward.cli.audit;

import io.keyward.cli.CommandFailure;
import io.keyward.cli.keys.DecryptionKeyOptions;
import io.keyward.codec.Decoded;
import io.keyward.codec.pod.PodYaml;
import io.keyward.etcd.live.Access;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// How a node of kubeadm reaches etcd, from its static pod manifests.
///
/// The manifest of kube-apiserver comes first, because it also names an external etcd. A node that
/// has etcd only, or whose API server is stopped, has the manifest of etcd.
///
/// @param urls of the members
/// @param authority the file with etcd's CA certificates
/// @param certificate the client certificate and its key
/// @param prefix of all keys, where the API server has a prefix of its own
record KubeadmEtcd(
    List<String> urls,
    Optional<Path> authority,
    Optional<Access.Certificate> certificate,
    Optional<String> prefix) {
  private static final Path MANIFESTS = Path.of("/etc/kubernetes/manifests");
  private static final String API_SERVER = "kube-apiserver";
  private static final String ETCD = "etcd";
  private static final String CLIENT = "/etc/kubernetes/pki/etcd/healthcheck-client";

  KubeadmEtcd {
    urls = List.copyOf(urls);
  }

  /// The manifest of one program, and the directory at which the node's files are mounted.
  private record Manifest(Path root, Path file, PodYaml pod) {
    static Optional<Manifest> find(Path root, String program) {
      Path file = below(root, MANIFESTS.resolve(program + ".yaml").toString());
      if (Files.notExists(file)) {
        return Optional.empty();
      }
      return switch (PodYaml.parse(program, DecryptionKeyOptions.read(file))) {
        case Decoded.Good<PodYaml>(var pod) -> Optional.of(new Manifest(root, file, pod));
        case Decoded.Bad<PodYaml> _ ->
            throw new CommandFailure(
                file + " is not the manifest of a pod",
                "restore it with kubeadm init phase, or name etcd with --etcd");
      };
    }

    List<String> urls(String flag) {
      return pod.argument(flag).stream()
          .flatMap(list -> Arrays.stream(list.split(",", -1)))
          .map(String::strip)
          .filter(url -> !url.isEmpty())
          .toList();
    }

    Optional<Path> path(String flag) {
      return pod.argument(flag).map(name -> below(root, pod.onNode(name).orElse(name)));
    }
  }

  private static Path below(Path root, String path) {
    return root.resolve(Path.of("/").relativize(Path.of("/").resolve(path))).normalize();
  }

  static KubeadmEtcd of(Path root) {
    Path top = root.toAbsolutePath().normalize();
    return Manifest.find(top, API_SERVER)
        .map(KubeadmEtcd::ofApiServer)
        .or(() -> Manifest.find(top, ETCD).map(KubeadmEtcd::ofEtcd))
        .orElseThrow(() ->
            new CommandFailure(
                "there is neither kube-apiserver.yaml nor etcd.yaml in "
                    + below(top, MANIFESTS.toString()),
                "run this command as root on a control-plane node of a kubeadm cluster, or name"
                    + " etcd with --etcd"));
  }

  private static KubeadmEtcd ofApiServer(Manifest manifest) {
    if (manifest.pod().argument("--etcd-servers-overrides").isPresent()) {
      throw new CommandFailure(
          manifest.file() + " stores some resources in another etcd (--etcd-servers-overrides)",
          "audit each of them with --etcd");
    }
    Optional<Path> chain = manifest.path("--etcd-certfile");
    Optional<Path> key = manifest.path("--etcd-keyfile");
    return new KubeadmEtcd(
        required(manifest, "--etcd-servers", manifest.urls("--etcd-servers")),
        manifest.path("--etcd-cafile"),
        chain.flatMap(file -> key.map(one -> new Access.Certificate(file, one))),
        manifest.pod().argument("--etcd-prefix"));
  }

  private static KubeadmEtcd ofEtcd(Manifest manifest) {
    List<String> urls =
        Stream.of("--listen-client-urls", "--advertise-client-urls")
            .flatMap(flag -> manifest.urls(flag).stream())
            .filter(url -> !url.contains("//0.0.0.0:") && !url.contains("//[::]:"))
            .distinct()
            .toList();
    return new KubeadmEtcd(
        required(manifest, "--advertise-client-urls", urls),
        manifest.path("--trusted-ca-file"),
        Optional.of(
            new Access.Certificate(
                below(manifest.root(), CLIENT + ".crt"), below(manifest.root(), CLIENT + ".key"))),
        Optional.empty());
  }

  private static List<String> required(Manifest manifest, String flag, List<String> urls) {
    if (urls.isEmpty()) {
      throw new CommandFailure(
          manifest.file() + " does not set " + flag, "name etcd with --etcd URL");
    }
    return urls;
  }
}
