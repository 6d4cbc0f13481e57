package io.keyward.kube.client;

import com.fasterxml.jackson.core.JsonProcessingException;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import io.fabric8.kubernetes.client.Config;
import io.fabric8.kubernetes.client.internal.KubeConfigUtils;
import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.function.Function;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// Reads kubeconfigs as kubectl does, and refuses what the client library would silently repair:
/// for a server without a scheme it falls back to plain HTTP, and the bearer token goes out
/// unencrypted.
public final class Kubeconfig {
  private static final long LARGEST = 10 << 20;
  private static final String VARIABLE = "KUBECONFIG";

  private Kubeconfig() {}

  static Config read(ClusterAccess access) {
    Optional<Path> given = access.kubeconfig();
    List<Path> files =
        given.map(List::of).orElseGet(() -> files(System::getenv, System.getProperty("user.home")));
    if (!files.isEmpty()) {
      return read(files, access.context());
    }
    access
        .context()
        .ifPresent(name -> {
          throw new ClusterFailure(
              "context " + name + " does not exist: there is no kubeconfig; set --kubeconfig");
        });
    if (System.getenv(VARIABLE) != null && System.getenv("KUBERNETES_SERVICE_HOST") == null) {
      throw new ClusterFailure("none of the files in KUBECONFIG exists");
    }
    return Config.autoConfigure(null);
  }

  /// The files that kubectl would read without `--kubeconfig`. Missing ones are skipped.
  static List<Path> files(Function<String, @Nullable String> environment, String home) {
    String listed = environment.apply(VARIABLE);
    Stream<Path> files =
        listed == null || listed.isEmpty()
            ? Stream.of(Path.of(home, ".kube", "config"))
            : Stream.of(listed.split(File.pathSeparator, -1))
                .filter(name -> !name.isEmpty())
                .map(Path::of);
    return files.distinct().filter(Files::exists).toList();
  }

  /// Of several files, the first that sets a value or names an entry counts.
  static Config read(List<Path> files, Optional<String> context) {
    String where =
        "the kubeconfig " + files.stream().map(Path::toString).collect(Collectors.joining(", "));
    var parsed = new ArrayList<io.fabric8.kubernetes.api.model.Config>();
    for (Path file : files) {
      parse(file).ifPresent(parsed::add);
    }
    if (parsed.isEmpty()) {
      throw new ClusterFailure(where + " is empty");
    }
    io.fabric8.kubernetes.api.model.Config merged = KubeconfigMerge.of(parsed);
    context.ifPresent(merged::setCurrentContext);
    check(merged, where, context.isPresent());
    try {
      return Config.fromKubeconfig(Api.JSON.writeValueAsString(merged));
    } catch (JsonProcessingException e) {
      throw new ClusterFailure(where + " cannot be used", e);
    }
  }

  private static void check(
      io.fabric8.kubernetes.api.model.Config merged, String where, boolean chosen) {
    if (merged.getClusters().isEmpty()) {
      throw new ClusterFailure(where + " names no cluster");
    }
    String name = Optional.ofNullable(merged.getCurrentContext()).orElse("");
    if (name.isEmpty()) {
      throw new ClusterFailure(where + " has no current context; choose one with --context");
    }
    String cluster =
        merged.getContexts().stream()
            .filter(one -> name.equals(one.getName()))
            .map(NamedContext::getContext)
            .flatMap(one -> Stream.ofNullable(one == null ? null : one.getCluster()))
            .findFirst()
            .orElseThrow(() ->
                new ClusterFailure(
                    (chosen ? "context " : "the current context ")
                        + name
                        + " does not exist in "
                        + where));
    String server =
        merged.getClusters().stream()
            .filter(one -> cluster.equals(one.getName()))
            .map(NamedCluster::getCluster)
            .flatMap(one -> Stream.ofNullable(one == null ? null : one.getServer()))
            .findFirst()
            .orElse("");
    checkServer(where, server);
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

  /// Empty where the file is.
  private static Optional<io.fabric8.kubernetes.api.model.Config> parse(Path file) {
    String text = text(file);
    if (text.isBlank()) {
      return Optional.empty();
    }
    try {
      return Optional.ofNullable(KubeConfigUtils.parseConfigFromString(text))
          .map(parsed -> KubeconfigMerge.resolved(parsed, file));
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
