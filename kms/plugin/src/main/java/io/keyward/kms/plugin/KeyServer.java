package io.keyward.kms.plugin;

import io.grpc.BindableService;
import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.plugin.config.PluginConfig.Timing;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.plugin.health.Prober;
import io.keyward.kms.plugin.health.ReportPoller;
import io.keyward.kms.plugin.report.PluginMetrics;
import io.keyward.kms.plugin.service.CallObserver;
import io.keyward.kms.plugin.service.KeyServices;
import io.keyward.kms.plugin.socket.SocketServer;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProvider.BlockingCalls;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/// One key on one socket: its provider, its watch, its prober, its reports, its server. Shares
/// nothing with other keys but threads, so that one key's trouble stays its own.
final class KeyServer implements AutoCloseable {
  private final KeyConfig config;
  private final KmsProvider provider;
  private final Prober prober;
  private final ReportPoller reports;
  private final SocketServer server;

  KeyServer(
      KeyConfig config,
      PluginConfig plugin,
      KmsProvider raw,
      KeyWatch watch,
      PluginMetrics metrics,
      EventLoopGroup loop,
      ScheduledExecutorService timer) {
    this.config = config;
    Timing timing = plugin.timing();
    Duration budget = timing.callBudget();
    KeyChain chain = KeyChain.of(raw, config.options(), watch, timer);
    provider = chain.provider();
    Prober.Probe probe =
        timeout -> {
          raw.recheck();
          chain.probe().run(timeout);
        };
    prober = new Prober(config.name(), probe, timing.probeInterval(), budget);
    reports =
        new ReportPoller(
            config.name(), raw, watch, timing.reportInterval(), timing.probeInterval());
    CallObserver observer = metrics.key(config.name(), watch);
    chain.cache().ifPresent(cache -> metrics.cache(config.name(), cache::hits));
    List<BindableService> services =
        KeyServices.of(
            provider,
            raw.blockingCalls().map(BlockingCalls::threads),
            watch,
            budget,
            timer,
            observer,
            plugin.kmsV1(),
            chain.memory());
    server = new SocketServer(config.socket(), config.access(), loop, services);
  }

  KeyConfig config() {
    return config;
  }

  SocketServer server() {
    return server;
  }

  /// Tries the key for the first time, in this thread if that cannot wait: then the first Status is
  /// already a true one.
  void startProbing() {
    if (!provider.blocks()) {
      prober.probe();
    }
    prober.start();
    reports.start();
  }

  /// Tries a key that cannot wait at once, so that the health endpoint does not report a state that
  /// is up to one probe interval old. A KMS is not called: every request would cost it a call.
  void refreshHealth() {
    if (!provider.blocks()) {
      var _ = prober.probe();
    }
  }

  @Override
  public void close() {
    prober.close();
    reports.close();
    server.close();
    provider.close();
  }
}
