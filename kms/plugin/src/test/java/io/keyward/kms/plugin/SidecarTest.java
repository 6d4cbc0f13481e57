package io.keyward.kms.plugin;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.awaitility.Awaitility.await;

import io.keyward.kms.client.KmsV2Client;
import io.keyward.kms.client.PluginEndpoint;
import io.keyward.kms.plugin.config.ConfigException;
import io.keyward.kms.plugin.config.KeyConfig;
import io.keyward.kms.plugin.config.MonitorConfig;
import io.keyward.kms.plugin.config.PluginConfig;
import io.keyward.kms.plugin.config.PluginConfig.LogFormat;
import io.keyward.kms.plugin.config.PluginConfig.Reporting;
import io.keyward.kms.plugin.config.PluginConfig.Timing;
import io.keyward.kms.plugin.config.Sidecar;
import io.keyward.kms.plugin.config.SocketAccess;
import io.keyward.kms.spi.KmsProvider;
import io.keyward.kms.spi.KmsProviderFactory;
import io.keyward.kms.spi.ProviderSettings;
import io.keyward.kms.spi.Setting;
import io.keyward.kms.spi.SettingsException;
import io.keyward.kms.tck.FakeKms;
import io.keyward.kms.tck.FakeKms.Mood;
import io.keyward.serve.ListenSettings;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

/// A plugin in the pod of an API server: one bad key stops neither the others nor the monitor.
final class SidecarTest {
  private static final Duration PATIENCE = Duration.ofSeconds(20);

  @TempDir private Path directory;
  private Path sockets = Path.of("");
  private Path file = Path.of("");

  @BeforeEach
  void prepare() throws IOException {
    sockets = Files.createDirectory(directory.resolve("sockets"));
    Files.setPosixFilePermissions(sockets, PosixFilePermissions.fromString("rwxrwxrwx"));
    file = directory.resolve("monitor.json");
  }

  private PluginConfig config(boolean monitors, String... keys) {
    var configs = new ArrayList<KeyConfig>();
    var endpoints = new TreeMap<String, String>();
    for (String key : keys) {
      Path socket = sockets.resolve(key + ".sock");
      var settings = new ProviderSettings(Map.of("key", key));
      configs.add(new KeyConfig(key, socket, SocketAccess.POD, "picky", settings));
      endpoints.put(key, "unix://" + socket);
    }
    var monitor = new MonitorConfig(file, Duration.ofSeconds(1), "kube-apiserver", endpoints);
    var pod = new Sidecar(Map.of(), monitors ? Optional.of(monitor) : Optional.empty());
    var listen = new Reporting(Optional.of(ListenSettings.loopback(0)), LogFormat.TEXT);
    return new PluginConfig(configs, Timing.DEFAULT, listen, false).with(pod);
  }

  private static Plugin start(PluginConfig config) {
    return Plugin.start(config, Map.of("picky", new Picky()));
  }

  private static String get(Plugin plugin, String path) {
    int port = plugin.reportAddress().orElseThrow().getPort();
    var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + port + path)).build();
    try (var http = HttpClient.newHttpClient()) {
      return http.send(request, BodyHandlers.ofString()).body();
    } catch (IOException | InterruptedException e) {
      throw new IllegalStateException(e);
    }
  }

  @Test
  void aKeyWhoseSettingsAreRefusedDoesNotStopTheOthers() throws IOException {
    try (var plugin = start(config(true, "1", "bad"));
        var client = new KmsV2Client(new PluginEndpoint(sockets.resolve("1.sock")))) {
      await().atMost(PATIENCE).until(() -> client.status(PATIENCE).isHealthy());
      assertThat(PosixFilePermissions.toString(mode("1.sock"))).isEqualTo("rw-rw-rw-");
      assertThat(sockets.resolve("bad.sock")).doesNotExist();
      await().atMost(PATIENCE).until(() -> Files.exists(file) && written().contains("\"ok\""));
      assertThat(written()).contains("cannot serve the key: setting 'key': must be a number");
      assertThat(get(plugin, "/healthz")).contains("1: ok", "bad: the plugin cannot serve it");
      assertThat(get(plugin, "/metrics"))
          .contains("kms_key_healthy{key=\"bad\"} 0.0")
          .containsPattern(
              "kms_plugin_status_healthy.component=\"kube-apiserver\",endpoint=\"unix.*/1.sock\". 1.0")
          .containsPattern("kms_plugin_status_healthy.*/bad.sock\". 0.0");
    }
  }

  @Test
  void aMonitorRunsWithoutAnyKey() throws IOException {
    try (var _ = start(config(true, "bad"))) {
      await().atMost(PATIENCE).until(() -> Files.exists(file));
      assertThat(written()).contains("must be a number");
    }
    assertThatThrownBy(() -> start(config(false, "bad")))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("key bad: setting 'key': must be a number");
    assertThatThrownBy(() -> start(config(false)))
        .isInstanceOf(ConfigException.class)
        .hasMessageContaining("no KMS key that this plugin serves");
  }

  /// `--check` reads the configuration as the start does.
  @Test
  void aCheckReportsKeysThatAreLeftOut() {
    Map<String, KmsProviderFactory> factories = Map.of("picky", new Picky());
    assertThat(KeyProviders.check(config(false, "1", "bad"), factories)).containsOnlyKeys("bad");
  }

  private String written() throws IOException {
    return Files.readString(file);
  }

  private java.util.Set<java.nio.file.attribute.PosixFilePermission> mode(String socket)
      throws IOException {
    return Files.getPosixFilePermissions(sockets.resolve(socket));
  }

  private static final class Picky implements KmsProviderFactory {
    @Override
    public String name() {
      return "picky";
    }

    @Override
    public List<Setting> settings() {
      return List.of(Setting.required("key", Setting.Kind.TEXT, "a number"));
    }

    @Override
    public KmsProvider create(ProviderSettings settings) {
      String name = settings.requiredText("key");
      if (!name.matches("[0-9]+")) {
        throw new SettingsException("key", "must be a number: " + name);
      }
      return new FakeKms(name, () -> Mood.GOOD);
    }
  }
}
