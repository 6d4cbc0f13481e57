package io.keyward.operator;

import io.keyward.codec.migration.MigrationProgress;
import io.keyward.engine.Engine;
import io.keyward.engine.Rhythm;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterAccess;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.leader.Leadership;
import io.keyward.kube.migrate.Migrator;
import io.keyward.serve.ListenFailure;
import io.keyward.serve.ListenSettings;
import io.keyward.serve.ReportServer;
import io.keyward.serve.StopOnSignal;
import java.time.InstantSource;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.UUID;
import java.util.function.Consumer;
import java.util.function.Supplier;

/// The operator: while it is leader, one engine works on the sites of all sources. Serves health
/// and metrics whether it is leader or not.
public final class OperatorProgram {
  private final Election election;
  private final List<SiteSource> sources;
  private final Optional<ListenSettings> listen;
  private final Consumer<String> log;
  private final OperatorMetrics metrics;

  /// Runs a term whenever this process is leader, until interrupted.
  @FunctionalInterface
  public interface Election {
    void run(Supplier<Leadership.Term> lead) throws InterruptedException;
  }

  /// An operator that has not started yet.
  ///
  /// @param log receives one line for each change of state
  public OperatorProgram(
      Election election,
      List<? extends SiteSource> sources,
      Optional<ListenSettings> listen,
      Consumer<String> log) {
    this.election = election;
    this.sources = List.copyOf(sources);
    this.listen = listen;
    this.log = log;
    this.metrics = new OperatorMetrics(InstantSource.system(), System::nanoTime, this::migrations);
  }

  /// Runs the operator for the API servers of one cluster, until a signal stops this process.
  ///
  /// @throws ClusterFailure if the cluster cannot be used at all
  /// @throws ListenFailure if health and metrics cannot be served
  public static void runUntilSignal(
      OperatorConfig config,
      ClusterAccess access,
      Optional<ListenSettings> listen,
      Consumer<String> log) {
    try (var _ = StopOnSignal.install()) {
      try (var api = Api.connect(access, Optional.empty());
          var sites = new ClusterSites(api, config, InstantSource.system())) {
        var leadership = new Leadership(api, config.home(), "keyward-" + UUID.randomUUID());
        new OperatorProgram(leadership::run, List.of(sites), listen, log).run();
      } catch (InterruptedException _) {
        log.accept("stopped");
      }
    }
  }

  /// Until interrupted.
  public void run() throws InterruptedException {
    try (var _ = ReportServer.start(listen, metrics, log)) {
      log.accept("waiting for leader election");
      election.run(this::lead);
    }
  }

  private Leadership.Term lead() {
    var engine = new Engine(metrics, Rhythm.DEFAULT);
    log.accept("became leader");
    sources.forEach(source -> source.start(engine));
    return () -> {
      engine.close();
      sources.forEach(SiteSource::stop);
      log.accept("lost leadership");
    };
  }

  private Map<Migrator.Work, MigrationProgress> migrations() {
    var all = new HashMap<Migrator.Work, MigrationProgress>();
    sources.forEach(source -> all.putAll(source.migrations()));
    return all;
  }
}
