package io.keyward.operator;

import io.keyward.core.prune.RemovalDecider;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterAccess;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.component.Component;
import io.keyward.kube.migrate.Migrator;
import io.keyward.kube.site.KubeSite;
import io.keyward.kube.site.StatusView;
import java.nio.file.Path;
import java.time.InstantSource;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.function.Function;

/// Reads the API servers of a cluster as the operator does, for the commands of an administrator.
public final class ClusterReader implements AutoCloseable {
  private final Api api;
  private final OperatorConfig config;

  /// An API server that could not be read, and why.
  public record Unread(String apiServer, ClusterFailure failure) {}

  /// One result for each API server. An API server that cannot be read does not hide the others:
  /// while API servers restart, there are moments in which none responds.
  public record Readings<T>(List<T> read, List<Unread> unread) {
    public Readings {
      read = List.copyOf(read);
      unread = List.copyOf(unread);
    }
  }

  private ClusterReader(Api api, OperatorConfig config) {
    this.api = api;
    this.config = config;
  }

  /// Connects as kubectl does.
  ///
  /// @param config the file with the operator's configuration; empty: the installed one
  /// @throws ClusterFailure if the credentials cannot be used
  /// @throws ConfigFailure if the configuration cannot be used
  public static ClusterReader connect(Optional<Path> config, ClusterAccess access) {
    // A mistake in the file is reported whether or not the cluster responds.
    Optional<OperatorConfig> given = config.map(one -> OperatorConfig.read(Optional.of(one)));
    var api = Api.connect(access, Optional.empty());
    try {
      return new ClusterReader(api, given.orElseGet(() -> ClusterConfig.find(api).config()));
    } catch (RuntimeException e) {
      api.close();
      throw e;
    }
  }

  static ClusterReader of(Api api, OperatorConfig config) {
    return new ClusterReader(api, config);
  }

  public Readings<StatusView> status() {
    return each(one -> site(one).view());
  }

  public Readings<Explanation> explain() {
    return each(one -> Explanation.of(one.name(), site(one).observe().state()));
  }

  /// Requests a rotation. The only method that writes.
  ///
  /// @param only the name of the only API server; empty for all
  /// @param reason distinguishes this request from earlier ones
  /// @return a line for each API server
  public List<String> rotate(Optional<String> only, String reason) {
    List<Component> some =
        config.apiServers().stream()
            .filter(one -> only.isEmpty() || one.name().equals(only.orElseThrow()))
            .toList();
    if (some.isEmpty()) {
      throw new ClusterFailure(
          "no API server " + only.orElse("") + " in the configuration of the operator");
    }
    return some.stream()
        .map(one -> new RotationRequest(api, one, site(one).view().site()).send(reason))
        .toList();
  }

  /// What prevents the removal of Keyward; empty where nothing does.
  List<RemovalDecider.Blocker> removalBlockers() {
    return config.apiServers().stream()
        .flatMap(one -> RemovalDecider.blocker(site(one).observe().state()).stream())
        .toList();
  }

  private <T> Readings<T> each(Function<Component, T> reading) {
    var read = new ArrayList<T>();
    var unread = new ArrayList<Unread>();
    for (Component one : config.apiServers()) {
      try {
        read.add(reading.apply(one));
      } catch (ClusterFailure e) {
        unread.add(new Unread(one.name(), e));
      }
    }
    return new Readings<>(read, unread);
  }

  private KubeSite site(Component one) {
    InstantSource clock = InstantSource.system();
    return new KubeSite(
        api,
        one,
        config.settings(),
        clock,
        Migrator.of(config.migrator(), api, clock, _ -> {}),
        config.gates(),
        config.images(),
        KubeSite.Access.READS_ONLY);
  }

  @Override
  public void close() {
    api.close();
  }
}
