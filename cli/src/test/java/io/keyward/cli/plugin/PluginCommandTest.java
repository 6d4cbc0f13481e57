package io.keyward.cli.plugin;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Cli;
import io.keyward.kms.plugin.Plugin;
import io.keyward.kms.plugin.Providers;
import io.keyward.kms.plugin.config.ConfigReader;
import java.io.IOException;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class PluginCommandTest {
  @TempDir private Path directory;
  private LocalSetup setup;

  @BeforeEach
  void prepare() throws IOException {
    setup = LocalSetup.in(directory);
  }

  @Test
  void finding27CheckAndStartAgreeAboutLimitsOfALocalKey() throws IOException {
    assertThat(check("").exit()).isZero();
    Cli.Result limited = check("    maxBackendRate: 5\n");
    assertThat(limited.exit()).isEqualTo(2);
    assertThat(limited.err()).contains("maxBackendRate").contains("this provider calls none");
  }

  @Test
  void finding27CheckSeesAMissingKeyStoreAsTheStartDoes() throws IOException {
    Files.delete(setup.keystore());
    assertThat(check("").exit()).isEqualTo(2);
  }

  @Test
  void checkReadsTheFilesOfTheHttpServerAsTheStartDoes() throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "sesame\n");
    String config = "listen: 127.0.0.1:0\nlistenTokenFile: " + token + "\n" + setup.config("");
    Path file = Files.writeString(directory.resolve("plugin.yaml"), config);
    assertThat(Cli.run("plugin", "--config", file.toString(), "--check").exit()).isZero();
    Files.delete(token);
    for (String[] command :
        new String[][] {
          {"plugin", "--config", file.toString(), "--check"},
          {"plugin", "--config", file.toString()}
        }) {
      Cli.Result refused = Cli.run(command);
      assertThat(refused.exit()).isEqualTo(2);
      assertThat(refused.err()).contains("cannot read the token file " + token);
    }
  }

  @Test
  void anAddressForOtherMachinesIsRefusedForFlagsToo() {
    Cli.Result refused =
        Cli.run(
            "plugin",
            "--socket",
            setup.socket().toString(),
            "--provider",
            "local",
            "--set",
            "keystore=" + setup.keystore(),
            "--set",
            "passwordFile=" + setup.password(),
            "--listen",
            "0.0.0.0:0",
            "--check");
    assertThat(refused.exit()).isEqualTo(2);
    assertThat(refused.err()).contains("--listen: other machines can reach 0.0.0.0:0");
  }

  @Test
  void finding24AnOverlongSocketPathIsAProblemOfTheConfiguration() throws IOException {
    String config = setup.config("").replace("/s.sock", "/" + "x".repeat(100));
    Path file = Files.writeString(directory.resolve("plugin.yaml"), config);
    Cli.Result result = Cli.run("plugin", "--config", file.toString(), "--check");
    assertThat(result.exit()).isEqualTo(2);
    assertThat(result.err()).contains("too long").contains("102 bytes");
  }

  @Test
  void finding31HealthzIsNotOkWhileEncryptFails() throws IOException, InterruptedException {
    String config = "listen: 127.0.0.1:0\nprobeInterval: 10m\n" + setup.config("");
    var providers = Providers.load();
    var read = new ConfigReader(providers).read("plugin.yaml", config);
    try (var plugin = Plugin.start(read, providers)) {
      URI healthz =
          URI.create(
              "http://127.0.0.1:" + plugin.reportAddress().orElseThrow().getPort() + "/healthz");
      assertThat(get(healthz).statusCode()).isEqualTo(200);
      Files.writeString(setup.keystore(), "damaged");
      HttpResponse<String> answer = get(healthz);
      assertThat(answer.statusCode()).isEqualTo(503);
      assertThat(answer.body()).contains("key store");
    }
  }

  private Cli.Result check(String more) throws IOException {
    Path file = Files.writeString(directory.resolve("plugin.yaml"), setup.config(more));
    return Cli.run("plugin", "--config", file.toString(), "--check");
  }

  private static HttpResponse<String> get(URI uri) throws IOException, InterruptedException {
    try (var client = HttpClient.newHttpClient()) {
      return client.send(
          HttpRequest.newBuilder(uri).timeout(Duration.ofSeconds(20)).build(),
          HttpResponse.BodyHandlers.ofString());
    }
  }
}
