package io.keyward.kms.plugin;

import io.grpc.BindableService;
import io.keyward.kms.plugin.call.RetryingProvider;
import io.keyward.kms.plugin.call.SharingProvider;
import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.plugin.health.KeyWatch;
import io.keyward.kms.plugin.health.Prober;
import io.keyward.kms.plugin.health.WatchedProvider;
import io.keyward.kms.plugin.service.CallObserver;
import io.keyward.kms.plugin.service.KeyServices;
import io.keyward.kms.plugin.socket.SocketServer;
import io.keyward.kms.spi.KmsProvider;
import io.netty.channel.EventLoopGroup;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.ScheduledExecutorService;

/// One key on one socket: its provider, its watch, its prober, its server. Shares nothing with
/// other keys but threads, so that one key's trouble stays its own.
final class KeyServer implements AutoCloseable {
  private final KeyConfig config;
  private final KmsProvider provider;
  private final Prober prober;
  private final SocketServer server;

  KeyServer(
      KeyConfig config,
      PluginConfig plugin,
      KmsProvider raw,
      KeyWatch watch,
      CallObserver observer,
      EventLoopGroup loop,
      ScheduledExecutorService timer) {
    this.config = config;
    Duration budget = plugin.timing().callBudget();
    provider = new WatchedProvider(patient(raw), watch);
    prober = new Prober(config.name(), provider, watch, plugin.timing().probeInterval(), budget);
    List<BindableService> services =
        KeyServices.of(provider, watch, budget, timer, observer, plugin.kmsV1());
    server = new SocketServer(config.socket(), config.access(), loop, services);
  }

  /// A key in memory answers at once or never; sleeping and sharing are for keys that are
  /// elsewhere.
  private static KmsProvider patient(KmsProvider raw) {
    return raw.blocks() ? new SharingProvider(new RetryingProvider(raw)) : raw;
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
  }

  @Override
  public void close() {
    prober.close();
    server.close();
    provider.close();
  }
}
