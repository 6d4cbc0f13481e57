package io.keyward.cli.preflight;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.cli.Cli;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;

final class ProviderPreflightTest {
  @TempDir private Path directory;

  @Test
  void triesEveryKeyWithoutAPlugin() throws IOException {
    Path password = Files.writeString(directory.resolve("password"), "secret");
    Path keys = directory.resolve("keys.p12");
    Cli.run("keystore", "create", "--keystore", "" + keys, "--password-file", "" + password);

    var good = Cli.run("preflight", "--provider", "local", "--config", "" + config(local(keys)));

    assertThat(good.exit()).isZero();
    assertThat(good.out())
        .contains(
            "key one, provider local", "first wrap", "unwrap", "report", "PASSED with key_id");
  }

  @Test
  void explainsWhatIsWrongAndWhatToDo() throws IOException {
    var bad = Cli.run("preflight", "--config", "" + config(vault()));
    assertThat(bad.exit()).isEqualTo(1);
    assertThat(bad.out())
        .contains("FAILED: first wrap failed: UNAVAILABLE")
        .contains("no server responds at Vault's address")
        .contains("What to do: start Vault");

    var json = Cli.run("preflight", "--config", "" + config(vault()), "-o", "json");
    assertThat(json.out()).contains("\"passed\" : false", "\"remedy\" : \"start Vault");
  }

  @Test
  void aSettingThatCannotWorkIsAFailedCheck() throws IOException {
    String plain = vault().replace("https://127.0.0.1:1", "http://vault.example.org");
    var bad = Cli.run("preflight", "--config", "" + config(plain));
    assertThat(bad.exit()).isEqualTo(1);
    assertThat(bad.out()).contains("setting 'address': must be https");
  }

  @Test
  void wantsAPluginOrAConfiguration() throws IOException {
    assertThat(Cli.run("preflight").exit()).isEqualTo(64);
    assertThat(Cli.run("preflight").err()).contains("--endpoint", "--config");
    Path file = config(vault());
    assertThat(Cli.run("preflight", "--endpoint", "unix:///s", "--config", "" + file).exit())
        .isEqualTo(64);
    assertThat(Cli.run("preflight", "--provider", "local", "--config", "" + file).exit())
        .isEqualTo(2);
    assertThat(Cli.run("preflight", "--config", "/nowhere").exit()).isEqualTo(2);
  }

  private Path config(String key) throws IOException {
    String text = "callBudget: 20s\nkeys:\n  - name: one\n    socket: /tmp/never-opened\n" + key;
    return Files.writeString(directory.resolve("plugin.yaml"), text);
  }

  private static String local(Path keys) {
    return "    provider: local\n    local: {keystore: "
        + keys
        + ", passwordFile: "
        + keys.resolveSibling("password")
        + "}\n";
  }

  private String vault() throws IOException {
    Path token = Files.writeString(directory.resolve("token"), "t");
    return "    provider: vault\n    vault: {address: 'https://127.0.0.1:1', key: kms, auth: token,"
        + " tokenFile: "
        + token
        + "}\n";
  }
}
