package io.keyward.bench.burst;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginCallException;
import io.keyward.kms.client.PluginEndpoint;
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
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Setting;
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
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicInteger;

/// API servers restart at the same time, and each asks for every stored seed, many at once. Keyward
/// beside a plugin that makes one call for each request, in front of equal KMSs.
public final class CompareBurst {
  private static final Duration DELAY = Duration.ofMillis(5);
  private static final Duration BUDGET = Duration.ofMillis(2500);
  private static final Duration CALLER = Duration.ofSeconds(3);
  private static final int QUOTA = 1_200;
  private static final int RATE = 1_000;

  private CompareBurst() {}

  /// Arguments: seeds, API servers, calls that one API server has under way.
  public static void main(String[] arguments) throws Exception {
    int seeds = arguments.length > 0 ? Integer.parseInt(arguments[0]) : 2_000;
    int servers = arguments.length > 1 ? Integer.parseInt(arguments[1]) : 3;
    int atOnce = arguments.length > 2 ? Integer.parseInt(arguments[2]) : 64;
    System.out.printf(
        "%,d seeds x %d API servers, each with %d calls at once; the KMS takes %d ms a call and allows"
            + " %,d in a second; Keyward's maxBackendRate is %,d%n",
        seeds, servers, atOnce, DELAY.toMillis(), QUOTA, RATE);
    System.out.printf(
        "%-22s %8s %10s %12s %9s  %s%n",
        "", "SECONDS", "KMS CALLS", "IN A SECOND", "REFUSED", "ANSWERS");
    Path directory = Files.createTempDirectory("burst");
    boolean failed = false;
    for (int round = 0; round < 3; round++) {
      reference(directory.resolve("r" + round), seeds, servers, atOnce);
      boolean good = keyward(directory.resolve("k" + round), seeds, servers, atOnce);
      failed |= !good;
    }
    System.out.println(
        failed
            ? "NOT REACHED: every answer good, each seed once, never above the rate"
            : "reached: every answer good, each seed once, never above the rate");
    System.exit(failed ? 1 : 0);
  }

  private static void reference(Path socket, int seeds, int servers, int atOnce) throws Exception {
    var kms = new FakeQuotaKms(DELAY, QUOTA);
    List<Wrapped> stored = store(kms, seeds);
    var loop = new MultiThreadIoEventLoopGroup(1, NioIoHandler.newFactory());
    var service = new OneCallPerRequest(kms, BUDGET);
    try (var server = new SocketServer(socket, SocketAccess.OWNER_ONLY, loop, List.of(service))) {
      server.open();
      burst("one call per request", socket, stored, servers, atOnce, kms);
    } finally {
      var _ = loop.shutdownGracefully(0, 100, TimeUnit.MILLISECONDS);
    }
  }

  private static boolean keyward(Path socket, int seeds, int servers, int atOnce) throws Exception {
    var kms = new FakeQuotaKms(DELAY, QUOTA);
    List<Wrapped> stored = store(kms, seeds);
    var options =
        new KeyOptions(
            Optional.of(new DecryptCache(seeds, Duration.ofMinutes(5))),
            new BackendLimit(RATE, 64),
            Optional.empty());
    var key =
        new KeyConfig(
            "burst",
            socket,
            SocketAccess.OWNER_ONLY,
            "quota",
            new ProviderSettings(Map.of()),
            options);
    var timing = new Timing(BUDGET, Duration.ofSeconds(10), Duration.ofSeconds(1));
    var config = new PluginConfig(List.of(key), timing, Reporting.DEFAULT, false);
    try (var _ = Plugin.start(config, Map.of("quota", new Factory(kms)))) {
      Map<String, Integer> answers = burst("keyward", socket, stored, servers, atOnce, kms);
      // The rate has room for a moment's burst, and probes are calls too.
      return answers.keySet().equals(Set.of("OK"))
          && kms.calls() <= seeds + 50
          && kms.peak() <= RATE * 1.15;
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

  /// Each API server walks over all seeds, each from another place on, with `atOnce` callers.
  private static Map<String, Integer> burst(
      String name, Path socket, List<Wrapped> stored, int servers, int atOnce, FakeQuotaKms kms) {
    var outcomes = new ConcurrentLinkedQueue<String>();
    long begin = System.nanoTime();
    var clients = new ArrayList<KmsV2Client>();
    try (var callers = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int server = 0; server < servers; server++) {
        var client = new KmsV2Client(new PluginEndpoint(socket));
        clients.add(client);
        var next = new AtomicInteger();
        int offset = server * stored.size() / servers;
        for (int caller = 0; caller < atOnce; caller++) {
          callers.execute(() -> {
            for (int i = next.getAndIncrement(); i < stored.size(); i = next.getAndIncrement()) {
              outcomes.add(outcome(client, stored.get((offset + i) % stored.size())));
            }
          });
        }
      }
    }
    double seconds = (System.nanoTime() - begin) / 1e9;
    clients.forEach(KmsV2Client::close);
    var counts = new TreeMap<String, Integer>();
    outcomes.forEach(outcome -> counts.merge(outcome, 1, Integer::sum));
    System.out.printf("%-22s %8.2f %s  %s%n", name, seconds, kms.words(), counts);
    return counts;
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
    public KmsProvider create(ProviderSettings settings) {
      return kms;
    }
  }
}
