package io.keyward.bench.burst;

import io.keyward.kms.client.Endpoint;
import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.plugin.Plugin;
import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.KeyOptions;
import io.keyward.kms.plugin.config.KeyOptions.BackendLimit;
import io.keyward.kms.plugin.config.KeyOptions.DecryptCache;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.plugin.config.PluginConfig.Reporting;
import io.keyward.kms.plugin.config.PluginConfig.Timing;
import io.keyward.kms.plugin.config.SocketAccess;
import io.keyward.kms.plugin.socket.SocketServer;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.Settings;
import io.keyward.kms.spi.Wrapped;
import io.netty.channel.MultiThreadIoEventLoopGroup;
import io.netty.channel.nio.NioIoHandler;
import java.nio.ByteBuffer;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;

/// API servers restart: each asks for every stored seed, all at once. Keyward beside a plugin that
/// makes one call for each request, in front of equal KMSs.
public final class CompareBurst {
  private static final Duration DELAY = Duration.ofMillis(5);
  private static final Duration BUDGET = Duration.ofMillis(2500);
  private static final Duration CALLER = Duration.ofSeconds(3);
  private static final int QUOTA = 1_200;
  private static final int RATE = 1_000;

  private CompareBurst() {}

  /// Arguments: seeds, API servers.
  public static void main(String[] arguments) throws Exception {
    int seeds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2_000;
    int servers = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
    System.out.printf(
        "%,d seeds x %d API servers; the KMS takes %d ms a call and allows %,d in a second%n",
        seeds, servers, DELAY.toMillis(), QUOTA);
    Path directory = Files.createTempDirectory("burst");
    for (int round = 0; round < 3; round++) {
      reference(directory.resolve("r" + round), seeds, servers);
      keyward(directory.resolve("k" + round), seeds, servers);
    }
    System.exit(0);
  }

  private static void reference(Path socket, int seeds, int servers) throws Exception {
    var kms = new FakeQuotaKms(DELAY, QUOTA);
    List<Wrapped> stored = store(kms, seeds);
    var loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    var service = new OneCallPerRequest(kms, BUDGET);
    try (var server = new SocketServer(socket, SocketAccess.OWNER_ONLY, loop, List.of(service))) {
      server.open();
      burst("one call per request", socket, stored, servers, kms);
    }
  }

  private static void keyward(Path socket, int seeds, int servers) throws Exception {
    var kms = new FakeQuotaKms(DELAY, QUOTA);
    List<Wrapped> stored = store(kms, seeds);
    var options =
        new KeyOptions(
            Optional.of(new DecryptCache(seeds, Duration.ofMinutes(5))),
            new BackendLimit(RATE, 64),
            Optional.empty());
    var key =
        new KeyConfig(
            "burst", socket, SocketAccess.OWNER_ONLY, "quota", new Settings(Map.of()), options);
    var timing = new Timing(BUDGET, Duration.ofSeconds(10), Duration.ofSeconds(1));
    var config = new PluginConfig(List.of(key), timing, Reporting.DEFAULT, false);
    try (var _ = Plugin.start(config, Map.of("quota", new Factory(kms)))) {
      burst("keyward", socket, stored, servers, kms);
    }
  }

  private static List<Wrapped> store(FakeQuotaKms kms, int seeds) throws Exception {
    var stored = new ArrayList<Wrapped>();
    try (var writers = Executors.newVirtualThreadPerTaskExecutor()) {
      var running = new ArrayList<java.util.concurrent.Future<Wrapped>>();
      for (int i = 0; i < seeds; i++) {
        var seed = new Secret(ByteBuffer.allocate(32).putInt(i).array());
        running.add(writers.submit(() -> kms.store(seed)));
      }
      for (var one : running) {
        stored.add(one.get());
      }
    }
    return stored;
  }

  private static void burst(
      String name, Path socket, List<Wrapped> stored, int servers, FakeQuotaKms kms) {
    var outcomes = new ConcurrentLinkedQueue<String>();
    long begin = System.nanoTime();
    var clients = new ArrayList<KmsV2Client>();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int server = 0; server < servers; server++) {
        var client = new KmsV2Client(new Endpoint(socket));
        clients.add(client);
        for (Wrapped wrapped : stored) {
          var _ = callers.submit(() -> outcomes.add(outcome(client, wrapped)));
        }
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    clients.forEach(KmsV2Client::close);
    var counts = new TreeMap<String, Integer>();
    outcomes.forEach(outcome -> counts.merge(outcome, 1, Integer::sum));
    System.out.printf("%-22s %5.2f s  KMS: %s  answers: %s%n", name, seconds, kms.words(), counts);
  }

  private static String outcome(KmsV2Client client, Wrapped wrapped) {
    try {
      client.decrypt(wrapped, "burst", CALLER);
      return "OK";
    } catch (PluginCallException e) {
      return e.code();
    }
  }

  private record Factory(FakeQuotaKms kms) implements KmsProviderFactory {
    @Override
    public String name() {
      return "quota";
    }

    @Override
    public List<Setting> settings() {
      return List.of();
    }

    @Override
    public KmsProvider create(Settings settings) {
      return kms;
    }
  }
}
