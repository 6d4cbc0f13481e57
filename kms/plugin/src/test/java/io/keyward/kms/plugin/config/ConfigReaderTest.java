package io.keyward.kms.plugin.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import io.keyward.kms.local.LocalProviderFactory;
import io.keyward.kms.plugin.config.KeyOptions.BackendLimit;
import io.keyward.kms.plugin.config.KeyOptions.DecryptCache;
import io.keyward.kms.plugin.config.KeyOptions.LocalKekLimits;
import io.keyward.kms.plugin.config.PluginConfig.LogFormat;
import io.keyward.serve.ListenAddress;
import io.keyward.serve.ListenSettings;
import io.keyward.serve.TlsFiles;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConfigReaderTest {
  private static final String GOOD =
      """
      listen: 127.0.0.1:8085
      logFormat: json
      callBudget: 2s
      probeInterval: 5s
      drain: 1s
      kmsV1: true
      keys:
        - name: payments
          socket: /run/kms/payments.sock
          socketMode: "0660"
          socketOwner: "1000:1000"
          socketPeers: ["1000", root]
          provider: local
          local:
            keystore: /etc/keys.p12
            passwordFile: /etc/password
      """;

  private final ConfigReader reader = new ConfigReader(Map.of("local", new LocalProviderFactory()));

  @Test
  void readsEverySetting() {
    PluginConfig config = reader.read("plugin.yaml", GOOD);
    assertThat(config.reporting().listen()).contains(ListenSettings.loopback(8085));
    assertThat(config.reporting().logFormat()).isEqualTo(LogFormat.JSON);
    assertThat(config.timing().callBudget()).isEqualTo(Duration.ofSeconds(2));
    assertThat(config.timing().probeInterval()).isEqualTo(Duration.ofSeconds(5));
    assertThat(config.timing().drain()).isEqualTo(Duration.ofSeconds(1));
    assertThat(config.kmsV1()).isTrue();
    KeyConfig key = config.keys().getFirst();
    assertThat(key.name()).isEqualTo("payments");
    assertThat(key.socket()).isEqualTo(Path.of("/run/kms/payments.sock"));
    assertThat(key.access().mode()).isEqualTo("0660");
    assertThat(key.access().owner()).contains("1000:1000");
    assertThat(key.access().peers()).containsExactly("1000", "root");
    assertThat(key.settings().requiredText("keystore")).isEqualTo("/etc/keys.p12");
  }

  /// For a sidecar, whose keys must not stop each other.
  @Test
  void readsTheKeysThatAreGoodAndNamesTheOthers() {
    String bad = "  - name: other\n    socket: relative\n    provider: local\n";
    ConfigReader.Partial partial = reader.readPartially("flags", GOOD + bad);
    assertThat(partial.config().keys()).extracting(KeyConfig::name).containsExactly("payments");
    assertThat(partial.problems()).extracting(ConfigProblem::problem).hasSize(3);
    assertThat(reader.readPartially("flags", "keys: []").config().keys()).isEmpty();
    ConfigException refused =
        catchThrowableOfType(
            ConfigException.class, () -> reader.readPartially("flags", "drain: never\nkeys: []"));
    assertThat(refused).hasMessageContaining("drain");
  }

  @Test
  void readsWhatIsTurnedOnForAKey() {
    String yaml =
        GOOD
            + """
                decryptCache: {entries: 10, ttl: 1m}
                maxBackendRate: 200
                maxBackendCalls: 8
                localKek: {maxAge: 24h, maxUses: 1000}
            reportInterval: 1m
            """;
    PluginConfig config = reader.read("plugin.yaml", yaml);
    KeyOptions options = config.keys().getFirst().options();
    assertThat(options.decryptCache()).contains(new DecryptCache(10, Duration.ofMinutes(1)));
    assertThat(options.backend()).isEqualTo(new BackendLimit(200, 8));
    assertThat(options.localKek()).contains(new LocalKekLimits(Duration.ofHours(24), 1000));
    assertThat(config.timing().reportInterval()).isEqualTo(Duration.ofMinutes(1));
    assertThat(reader.read("plugin.yaml", GOOD).keys().getFirst().options())
        .isEqualTo(KeyOptions.NONE);
    assertThat(reader.read("plugin.yaml", GOOD).timing().reportInterval())
        .isEqualTo(Duration.ofMinutes(5));
    assertThat(reader.read("plugin.yaml", GOOD + "    localKek: on\n").keys().getFirst().options())
        .isEqualTo(
            new KeyOptions(
                Optional.empty(), BackendLimit.NONE, Optional.of(LocalKekLimits.DEFAULT)));
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          decryptCache: on               | plugin.yaml:17: expected settings
          decryptCache: {entries: 0}     | plugin.yaml:17: setting 'entries' must be a number from 1 to 10000
          decryptCache: {entry: 5}       | plugin.yaml:17: unknown setting 'entry' of decryptCache
          decryptCache: {ttl: 25h}       | plugin.yaml:17: setting 'ttl' must be between 1s and 86400s
          maxBackendRate: fast           | plugin.yaml:17: setting 'maxBackendRate' must be a number
          maxBackendCalls: 99999999999   | plugin.yaml:17: setting 'maxBackendCalls' must be a number
          localKek: yes                  | plugin.yaml:17: setting 'localKek' must be on, off
          localKek: {maxUses: 999999999} | plugin.yaml:17: setting 'maxUses' must be a number from 16 to 16777216
          """)
  void refusesWrongOptions(String line, String problem) {
    assertThat(problems(GOOD + "    " + line + "\n")).anyMatch(found -> found.startsWith(problem));
  }

  @Test
  void hasDefaultsThatAreShorterThanTheApiServersTimeout() {
    PluginConfig config =
        reader.read(
            "plugin.yaml",
            """
            keys:
              - {name: a, socket: /s, provider: local, local: {keystore: /k, passwordFile: /p}}
            """);
    assertThat(config.timing().callBudget()).isLessThan(Duration.ofSeconds(3));
    assertThat(config.keys().getFirst().access().mode()).isEqualTo("0600");
    assertThat(config.kmsV1()).isFalse();
  }

  @Test
  void readsHowAnAddressForOtherMachinesIsProtected() {
    PluginConfig config =
        reader.read(
            "plugin.yaml",
            GOOD.replace(
                "listen: 127.0.0.1:8085",
                """
                listen: 0.0.0.0:8085
                listenTlsCert: /tls/tls.crt
                listenTlsKey: /tls/tls.key
                listenTokenFile: /tokens/metrics\
                """));
    assertThat(config.reporting().listen())
        .contains(
            new ListenSettings(
                new ListenAddress("0.0.0.0", 8085),
                Optional.of(new TlsFiles(Path.of("/tls/tls.crt"), Path.of("/tls/tls.key"))),
                Optional.of(Path.of("/tokens/metrics")),
                false));
  }

  @Test
  void anUnprotectedAddressForOtherMachinesMustBeRequestedByName() {
    String open = GOOD.replace("127.0.0.1:8085", "0.0.0.0:8085");
    ConfigException refused =
        catchThrowableOfType(ConfigException.class, () -> reader.read("plugin.yaml", open));
    assertThat(refused)
        .hasMessageContaining("plugin.yaml:1: other machines can reach 0.0.0.0:8085")
        .hasMessageContaining("listenTlsCert, listenTlsKey and listenTokenFile")
        .hasMessageContaining("listenInsecure: true");
    PluginConfig accepted = reader.read("plugin.yaml", "listenInsecure: true\n" + open);
    assertThat(accepted.reporting().listen().orElseThrow().insecure()).isTrue();
  }

  @ParameterizedTest(name = "{0} -> {1}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # replace                           | by                             | problem
          listen: 127.0.0.1:8085              | listen: 8085                   | plugin.yaml:1: setting 'listen' must be host:port
          listen: 127.0.0.1:8085              | listen: a:99999                | plugin.yaml:1: setting 'listen' must be host:port
          listen: 127.0.0.1:8085              | Listen: 127.0.0.1:8085         | plugin.yaml:1: unknown setting 'Listen' of the plugin; did you mean 'listen'?
          logFormat: json                     | listenTlsCert: /c              | plugin.yaml:1: listenTlsCert and listenTlsKey belong together
          logFormat: json                     | listenInsecure: yes            | plugin.yaml:2: setting 'listenInsecure' must be true or false
          logFormat: json                     | logFormat: xml                 | plugin.yaml:2: setting 'logFormat' must be text or json
          logFormat: json                     | log-format: json               | plugin.yaml:2: unknown setting 'log-format' of the plugin; did you mean 'logFormat'?
          callBudget: 2s                      | callBudget: 2                  | plugin.yaml:3: setting 'callBudget' must be a number and a unit
          callBudget: 2s                      | callBudget: 2h                 | plugin.yaml:3: setting 'callBudget' must be between 50ms and 60s
          probeInterval: 5s                   | probeInterval: 1ms             | plugin.yaml:4: setting 'probeInterval' must be between 100ms and 600s
          drain: 1s                           | drain: [1s]                    | plugin.yaml:5: setting 'drain' must be plain text
          drain: 1s                           | callBudget: 1s                 | plugin.yaml:5: setting 'callBudget' is given twice
          kmsV1: true                         | kmsV1: maybe                   | plugin.yaml:6: setting 'kmsV1' must be true or false
          name: payments                      | name: Payments!                | plugin.yaml:8: a key's name has 1 to 63 lower-case letters
          socket: /run/kms/payments.sock      | socket: payments.sock          | plugin.yaml:9: setting 'socket' must be an absolute path
          socket: /run/kms/payments.sock      | sock: /run/kms/payments.sock   | plugin.yaml:9: unknown setting 'sock' of the key; did you mean 'socket'?
          socketMode: "0660"                  | socketMode: "0666"             | plugin.yaml:10: setting 'socketMode' must not let everybody in
          socketMode: "0660"                  | socketMode: rw                 | plugin.yaml:10: setting 'socketMode' must be three octal digits
          socketPeers: ["1000", root]         | socketPeers: root              | plugin.yaml:12: setting 'socketPeers' must be a list
          provider: local                     | provider: lokal                | plugin.yaml:13: unknown provider 'lokal'; did you mean 'local'?
          provider: local                     | provider: vault                | plugin.yaml:13: unknown provider 'vault'; known are local
          keystore: /etc/keys.p12             | keyStore: /etc/keys.p12        | plugin.yaml:15: unknown setting 'keyStore' of provider local; did you mean 'keystore'?
          passwordFile: /etc/password         | password: secret               | plugin.yaml:16: unknown setting 'password' of provider local; did you mean 'passwordFile'?
          passwordFile: /etc/password         | passwordFile: ""               | plugin.yaml:16: setting 'passwordFile' must be plain text and not empty
          keys:                               | keys: [                        | plugin.yaml:8: not YAML
          """)
  void refusesWithFileLineAndTheRightName(String good, String bad, String problem) {
    assertThat(GOOD).contains(good);
    assertThat(problems(GOOD.replace(good, bad))).anyMatch(found -> found.startsWith(problem));
  }

  @Test
  void neverRepeatsAValueThatCouldBeASecret() {
    String yaml = GOOD.replace("passwordFile: /etc/password", "password: hunter2");
    assertThat(problems(yaml)).noneMatch(found -> found.contains("hunter2"));
  }

  @Test
  void saysEverythingThatIsWrongAtOnce() {
    assertThat(problems("keys: [{name: X, provider: local}, {name: a, socket: /s}]"))
        .hasSizeGreaterThanOrEqualTo(4);
  }

  @Test
  void refusesTwoKeysWithOneNameOrOneSocket() {
    String twice = GOOD + GOOD.substring(GOOD.indexOf("  - name"));
    assertThat(problems(twice))
        .anyMatch(found -> found.startsWith("plugin.yaml:17: two keys have the name 'payments'"))
        .anyMatch(found -> found.startsWith("plugin.yaml:18: two keys have the socket"));
  }

  @ParameterizedTest
  @CsvSource(
      delimiter = '|',
      value = {"''", "[]", "keys:", "- a", "text", "a: &x [*x]", "keys: &k [*k]", "\u0000", "{{{{"})
  void everyTextHasAnAnswer(String yaml) {
    assertThat(problems(yaml)).isNotEmpty();
  }

  private List<String> problems(String yaml) {
    return catchThrowableOfType(ConfigException.class, () -> reader.read("plugin.yaml", yaml))
        .problems()
        .stream()
        .map(ConfigProblem::toString)
        .toList();
  }
}
