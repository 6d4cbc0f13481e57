package io.keyward.kube.client;

import io.fabric8.kubernetes.api.model.Cluster;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.List;
import java.util.Locale;
import java.util.Optional;

/// Reads a kubeconfig, and refuses what the client library would silently repair: for a server
/// without a scheme it falls back to plain HTTP, and the bearer token goes out unencrypted.
public final class Kubeconfig {
  private static final long LARGEST = 10 << 20;

  private Kubeconfig() {}

  static Config read(Path file) {
    String text = text(file);
    List<NamedCluster> clusters = clusters(file, text);
    if (clusters.isEmpty()) {
      throw new ClusterFailure("the kubeconfig " + file + " names no cluster");
    }
    for (NamedCluster cluster : clusters) {
      checkServer(
          "the kubeconfig " + file,
          Optional.ofNullable(cluster.getCluster()).map(Cluster::getServer).orElse(""));
    }
    Config config = Config.fromKubeconfig(text);
    if (config.getCurrentContext() == null) {
      throw new ClusterFailure("the kubeconfig " + file + " has no current context");
    }
    return config;
  }

  /// As a pod does; elsewhere by the kubeconfig that `kubectl` would use.
  static Config ofThisProcess() {
    for (String name : Config.getKubeconfigFilenames()) {
      Path file = Path.of(name);
      if (Files.isRegularFile(file) && !isInPod()) {
        return read(file);
      }
    }
    return Config.autoConfigure(null);
  }

  private static boolean isInPod() {
    return System.getenv("KUBERNETES_SERVICE_HOST") != null;
  }

  private static String text(Path file) {
    try {
      if (Files.isDirectory(file)) {
        throw new ClusterFailure("the kubeconfig " + file + " is a directory");
      }
      if (Files.size(file) > LARGEST) {
        throw new ClusterFailure("the kubeconfig " + file + " is larger than 10 MiB");
      }
      return Files.readString(file);
    } catch (NoSuchFileException e) {
      throw new ClusterFailure("the kubeconfig " + file + " does not exist", e);
    } catch (IOException e) {
      throw new ClusterFailure("cannot read the kubeconfig " + file + ": " + e.getMessage(), e);
    }
  }

  private static List<NamedCluster> clusters(Path file, String text) {
    try {
      var parsed = text.isBlank() ? null : KubeConfigUtils.parseConfigFromString(text);
      if (parsed == null) {
        throw new ClusterFailure("the kubeconfig " + file + " is empty");
      }
      return parsed.getClusters();
    } catch (ClusterFailure e) {
      throw e;
    } catch (RuntimeException e) {
      // The parser's own message may quote a token.
      throw new ClusterFailure("the file " + file + " is not a kubeconfig", e);
    }
  }

  static void checkServer(String where, String server) {
    String url = server.toLowerCase(Locale.ROOT);
    if (!url.startsWith("https://") && !url.startsWith("http://")) {
      throw new ClusterFailure(
          where + " names a server without a scheme: '" + server + "'; write https://HOST:PORT");
    }
  }
}
