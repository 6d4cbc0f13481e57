package io.keyward.kube.client;

import io.fabric8.kubernetes.api.model.AuthInfo;
import io.fabric8.kubernetes.api.model.Config;
import io.fabric8.kubernetes.api.model.ExecConfig;
import io.fabric8.kubernetes.api.model.NamedAuthInfo;
import io.fabric8.kubernetes.api.model.NamedCluster;
import io.fabric8.kubernetes.api.model.NamedContext;
import java.nio.file.Path;
import java.util.Collection;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;

/// One kubeconfig of several, by the rules of kubectl.
final class KubeconfigMerge {
  private KubeconfigMerge() {}

  /// Of entries with the same name, and of current contexts, the first counts.
  static Config of(List<Config> all) {
    var merged = new Config();
    merged.setClusters(named(all, Config::getClusters, NamedCluster::getName));
    merged.setContexts(named(all, Config::getContexts, NamedContext::getName));
    merged.setUsers(named(all, Config::getUsers, NamedAuthInfo::getName));
    all.stream()
        .map(Config::getCurrentContext)
        .filter(name -> name != null && !name.isEmpty())
        .findFirst()
        .ifPresent(merged::setCurrentContext);
    return merged;
  }

  private static <T> List<T> named(
      List<Config> all, Function<Config, List<T>> entries, Function<T, String> name) {
    var found = new LinkedHashMap<String, T>();
    all.stream()
        .flatMap(one -> Stream.ofNullable(entries.apply(one)))
        .flatMap(Collection::stream)
        .forEach(entry -> found.putIfAbsent(name.apply(entry), entry));
    return List.copyOf(found.values());
  }

  /// Paths in a kubeconfig are relative to its directory.
  static Config resolved(Config config, Path kubeconfig) {
    Stream.ofNullable(config.getClusters())
        .flatMap(Collection::stream)
        .flatMap(named -> Stream.ofNullable(named.getCluster()))
        .forEach(cluster ->
            cluster.setCertificateAuthority(file(cluster.getCertificateAuthority(), kubeconfig)));
    Stream.ofNullable(config.getUsers())
        .flatMap(Collection::stream)
        .flatMap(named -> Stream.ofNullable(named.getUser()))
        .forEach(user -> resolve(user, kubeconfig));
    return config;
  }

  private static void resolve(AuthInfo user, Path kubeconfig) {
    user.setClientCertificate(file(user.getClientCertificate(), kubeconfig));
    user.setClientKey(file(user.getClientKey(), kubeconfig));
    user.setTokenFile(file(user.getTokenFile(), kubeconfig));
    ExecConfig exec = user.getExec();
    // A name without a directory is found on the PATH.
    if (exec != null && exec.getCommand() != null && exec.getCommand().contains("/")) {
      exec.setCommand(file(exec.getCommand(), kubeconfig));
    }
  }

  private static @Nullable String file(@Nullable String name, Path kubeconfig) {
    return name == null || name.isEmpty()
        ? name
        : kubeconfig.toAbsolutePath().resolveSibling(name).normalize().toString();
  }
}
