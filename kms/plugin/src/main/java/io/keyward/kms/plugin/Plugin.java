package io.keyward.kms.plugin;

import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.plugin.config.Sidecar;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.plugin.monitor.PluginMonitor;
import io.keyward.kms.plugin.report.PluginMetrics;
import io.keyward.kms.plugin.report.PluginReport;
import io.keyward.kms.plugin.socket.SocketProblem;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.serve.ListenFailure;
import io.keyward.serve.ListenSettings;
import io.keyward.serve.ReportServer;
import io.netty.channel.EventLoopGroup;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.InetSocketAddress;
import java.time.Clock;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.concurrent.ScheduledExecutorService;
import java.util.concurrent.TimeUnit;

/// A running plugin: all its keys, and what it reports about them.
///
/// One event loop serves all sockets. One is enough: it only moves bytes and does AES, and each
/// further thread would cost memory beside every API server.
public final class Plugin implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Plugin.class.getName());

  private final PluginConfig config;
  private final EventLoopGroup loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());

  /// Not a virtual thread: a name lookup holds the thread below a virtual one, and some of them
  /// would then keep the others from being ended in time.
  private final ScheduledExecutorService timer =
      Executors.newSingleThreadScheduledExecutor(
          Thread.ofPlatform().daemon().name("budget").factory());

  private final List<KeyServer> keys = new ArrayList<>();
  private Optional<ReportServer> reports = Optional.empty();
  private Optional<PluginMonitor> monitor = Optional.empty();
  private volatile boolean ready;

  private Plugin(PluginConfig config) {
    this.config = config;
  }

  /// Starts everything, or nothing. A sidecar starts without the keys that cannot be served.
  ///
  /// @throws ConfigException if a provider cannot work with its settings
  /// @throws SocketProblem if a socket cannot be opened
  /// @throws ListenFailure if health and metrics cannot be served
  public static Plugin start(PluginConfig config, Map<String, KmsProviderFactory> providers) {
    var plugin = new Plugin(config);
    try {
      plugin.prepare(providers);
      plugin.open();
      return plugin;
    } catch (ConfigException | SocketProblem | ListenFailure e) {
      plugin.close();
      throw e;
    }
  }

  private void prepare(Map<String, KmsProviderFactory> providers) {
    var metrics = new PluginMetrics(Clock.systemUTC());
    var watches = new KeyWatches(metrics);
    KeyProviders.Created created = KeyProviders.create(config, providers);
    WarmUp.run(created.providers(), loop, timer);
    for (KeyProviders.Served one : created.served()) {
      KeyConfig key = one.key();
      KeyWatch watch = watches.of(key.name());
      keys.add(new KeyServer(key, config, one.provider(), watch, metrics, loop, timer));
    }
    created.leftOut().forEach(watches::leaveOut);
    monitor = config.sidecar().flatMap(Sidecar::monitor).map(watches::monitor);
    reports = config.reporting().listen().map(settings -> listen(settings, watches, metrics));
  }

  private void open() {
    keys.forEach(KeyServer::startProbing);
    for (KeyServer key : keys) {
      key.server().open();
      LOG.log(Level.INFO, "key {0} is served on {1}", key.config().name(), key.config().socket());
    }
    monitor.ifPresent(PluginMonitor::start);
    HeapTrim.start(timer);
    ready = true;
  }

  private ReportServer listen(ListenSettings settings, KeyWatches watches, PluginMetrics metrics) {
    Runnable refresh = () -> keys.forEach(KeyServer::refreshHealth);
    var report = new PluginReport(this::isAlive, () -> ready, watches.all(), refresh, metrics);
    ReportServer server = ReportServer.start(settings, report);
    LOG.log(Level.INFO, "health and metrics on {0}", server.url());
    return server;
  }

  /// Where health and metrics are served; empty where they are not.
  public Optional<InetSocketAddress> reportAddress() {
    return reports.map(ReportServer::address);
  }

  private boolean isAlive() {
    try {
      return loop.submit(() -> {}).await(2, TimeUnit.SECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      return false;
    }
  }

  /// Lets calls in progress end, within the configured time, and stops.
  public void drain() {
    ready = false;
    keys.forEach(key -> key.server().beginDrain());
    long end = System.nanoTime() + config.timing().drain().toNanos();
    for (KeyServer key : keys) {
      key.server().endDrain(Duration.ofNanos(Math.max(0, end - System.nanoTime())));
    }
    close();
  }

  @Override
  public void close() {
    ready = false;
    monitor.ifPresent(PluginMonitor::close);
    reports.ifPresent(ReportServer::close);
    keys.forEach(KeyServer::close);
    timer.shutdownNow();
    var _ = loop.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
  }
}
