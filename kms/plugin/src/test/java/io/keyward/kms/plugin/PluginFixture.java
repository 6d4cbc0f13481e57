package io.keyward.kms.plugin;

import static java.net.http.HttpResponse.BodyHandlers.ofString;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.plugin.call.DelegatingProvider;
import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.KeyOptions;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.plugin.config.PluginConfig.LogFormat;
import io.keyward.kms.plugin.config.PluginConfig.Reporting;
import io.keyward.kms.plugin.config.PluginConfig.Timing;
import io.keyward.kms.plugin.config.SocketAccess;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.tck.FakeKms;
import io.keyward.kms.tck.FakeKms.Mood;
import io.keyward.serve.ListenSettings;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentMap;
import java.util.concurrent.Executor;

/// A plugin in this process, on real sockets, in front of fake KMSs whose moods a test sets.
final class PluginFixture implements AutoCloseable {
  static final Duration BUDGET = Duration.ofMillis(400);
  static final Duration PROBE = Duration.ofMillis(200);

  private final Path directory;
  private final List<KeyConfig> keys = new ArrayList<>();
  private final ConcurrentMap<String, Mood> moods = new ConcurrentHashMap<>();
  private final Map<String, FakeKms> kms = new HashMap<>();
  private final List<KmsV2Client> clients = new ArrayList<>();
  private SocketAccess access = SocketAccess.OWNER_ONLY;
  private KeyOptions options = KeyOptions.NONE;
  private Duration budget = BUDGET;
  private Duration reportInterval = PROBE;
  private boolean kmsV1;
  private Optional<Executor> threads = Optional.empty();
  private Optional<Plugin> plugin = Optional.empty();

  PluginFixture(Path directory) {
    this.directory = directory;
  }

  PluginFixture key(String name, Mood mood) {
    moods.put(name, mood);
    var settings = new ProviderSettings(Map.of("key", name));
    keys.add(new KeyConfig(name, socket(name), access, "fake", settings, options));
    return this;
  }

  PluginFixture access(SocketAccess changed) {
    access = changed;
    return this;
  }

  /// What is turned on for the keys that follow.
  PluginFixture options(KeyOptions changed) {
    options = changed;
    return this;
  }

  PluginFixture budget(Duration changed) {
    budget = changed;
    return this;
  }

  PluginFixture reportInterval(Duration changed) {
    reportInterval = changed;
    return this;
  }

  PluginFixture kmsV1() {
    kmsV1 = true;
    return this;
  }

  /// All keys hold one of these threads for each call.
  PluginFixture holding(Executor their) {
    threads = Optional.of(their);
    return this;
  }

  PluginFixture start() {
    var config =
        new PluginConfig(
            keys,
            new Timing(budget, PROBE, Duration.ofSeconds(2), reportInterval),
            new Reporting(Optional.of(ListenSettings.loopback(0)), LogFormat.TEXT),
            kmsV1);
    plugin = Optional.of(Plugin.start(config, Map.of("fake", new Factory())));
    return this;
  }

  Plugin plugin() {
    return plugin.orElseThrow();
  }

  Path socket(String name) {
    return directory.resolve(name);
  }

  void mood(String name, Mood mood) {
    moods.put(name, mood);
  }

  FakeKms kms(String name) {
    return kms.getOrDefault(name, new FakeKms("none", () -> Mood.GOOD));
  }

  KmsV2Client client(String name) {
    var client = new KmsV2Client(new PluginEndpoint(socket(name)));
    clients.add(client);
    return client;
  }

  String url(String path) {
    return "http://127.0.0.1:" + plugin().reportAddress().orElseThrow().getPort() + path;
  }

  /// What is served under `path`, whatever its code.
  String get(String path) {
    try (var http = HttpClient.newHttpClient()) {
      return http.send(HttpRequest.newBuilder(URI.create(url(path))).build(), ofString()).body();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    } catch (InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Override
  public void close() {
    clients.forEach(KmsV2Client::close);
    plugin.ifPresent(Plugin::close);
  }

  private static final class Holding extends DelegatingProvider {
    private final Executor threads;

    Holding(FakeKms kms, Executor threads) {
      super(kms);
      this.threads = threads;
    }

    @Override
    public Optional<BlockingCalls> blockingCalls() {
      return Optional.of(new BlockingCalls(provider, threads));
    }
  }

  private final class Factory implements KmsProviderFactory {
    @Override
    public String name() {
      return "fake";
    }

    @Override
    public List<Setting> settings() {
      return List.of(Setting.required("key", Setting.Kind.TEXT, "name"));
    }

    @Override
    public KmsProvider create(ProviderSettings settings) {
      String name = settings.requiredText("key");
      var fake = new FakeKms(name, () -> moods.getOrDefault(name, Mood.GOOD));
      kms.put(name, fake);
      return threads.<KmsProvider>map(their -> new Holding(fake, their)).orElse(fake);
    }
  }
}
