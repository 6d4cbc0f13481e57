package io.keyward.storage.config;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assertions.assertTimeoutPreemptively;

import java.time.Duration;
import java.util.List;
import java.util.Random;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConfigLoaderTest {
  private static final String HEAD =
      """
      apiVersion: apiserver.config.k8s.io/v1
      kind: EncryptionConfiguration
      resources:
      - resources: [secrets]
        providers:
      """;
  private static final String KEY = "AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  private static final String OTHER = "HwECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=";
  private static final String ZERO = "AAAAAAAAAAAAAAAAAAAAAA==";

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                        | providers                                      | warnings
          sealed by a KMS               | kms2                                           | ''
          identity first                | identity                                       | IDENTITY_FIRST 6
          identity left                 | kms2 identity                                  | IDENTITY_LEFT 7
          the old protocol              | kms1                                           | KMS_V1 6
          no integrity                  | aescbc                                         | AESCBC 6
          read only, so no matter       | kms2 aescbc                                    | ''
          one key in two places         | kms2 aescbc aesgcm                             | KEY_REUSED 8
          the mark for off              | identity zero                                  | IDENTITY_FIRST 6 ZERO_KEY 7
          """)
  void warnsOfWhatIsLegalAndUnwise(String name, String providers, String warnings) {
    var text = new StringBuilder(HEAD);
    for (String provider : providers.split(" ", -1)) {
      text.append("  - ").append(element(provider)).append('\n');
    }
    var verdict = (ConfigVerdict.Accepted) ConfigLoader.lenient().load(text.toString());
    assertThat(
            verdict.warnings().stream()
                .map(warning -> warning.kind() + " " + warning.line())
                .collect(Collectors.joining(" ")))
        .isEqualTo(warnings);
  }

  private static String element(String provider) {
    return switch (provider) {
      case "kms2" -> "kms: {apiVersion: v2, name: a, endpoint: 'unix:///a.sock'}";
      case "kms1" -> "kms: {apiVersion: v1, name: a, endpoint: 'unix:///a.sock'}";
      case "aescbc" -> "aescbc: {keys: [{name: k, secret: " + KEY + "}]}";
      case "aesgcm" ->
          "aesgcm: {keys: [{name: x, secret: " + OTHER + "}, {name: k, secret: " + KEY + "}]}";
      case "zero" -> "aesgcm: {keys: [{name: k, secret: " + ZERO + "}]}";
      case "identity" -> "identity: {}";
      default -> throw new IllegalArgumentException(provider);
    };
  }

  @Test
  void namesTheLineOfAnError() {
    var verdict =
        (ConfigVerdict.Refused)
            ConfigLoader.standard().load(HEAD + "  - kms: {apiVersion: v2, name: a}\n");
    assertThat(verdict.errors().getFirst().line()).isEqualTo(6);
    assertThat(verdict.errors().getFirst().remedy()).contains("unix:///");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # an unquoted word    | name  | stage
          a word                | key1  | accepted
          a quoted number       | '"1"' | accepted
          a number              | 1     | DECODE
          a number with a point | 1.5   | DECODE
          a YAML 1.1 truth      | yes   | DECODE
          another one           | off   | DECODE
          nothing               | ~     | VALIDATE
          a date stays a text   | 2026-03-09 | accepted
          """)
  void takesUnquotedWordsAsKubernetesDoes(String name, String word, String stage) {
    var text = HEAD + "  - aescbc: {keys: [{name: " + word + ", secret: " + KEY + "}]}\n";
    assertThat(show(ConfigLoader.standard().load(text))).isEqualTo(stage);
  }

  /// Tried with the YAML reader of Kubernetes.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                     | second key                                       | verdict
          fields of another mapping  | {<<: *first, name: b}                            | twice
          nothing in common          | {<<: {name: b}, secret: HwECAwQFBgcICQoLDA0ODw==} | ok
          a list of them             | {<<: [{name: b}, {secret: HwECAwQFBgcICQoLDA0ODw==}]} | ok
          with the same field twice  | {<<: [{name: b}, *first]}                        | twice
          in quotes it is a name     | {'<<': *first}                                   | unknown
          no mapping                 | {<<: 3}                                          | object
          nothing                    | {<<: null}                                       | object
          """)
  void mergesAsKubernetesDoes(String name, String key, String verdict) {
    String text =
        HEAD + "  - aesgcm: {keys: [&first {name: a, secret: " + ZERO + "}, " + key + "]}\n";
    String seen =
        switch (ConfigLoader.standard().load(text)) {
          case ConfigVerdict.Accepted _ -> "ok";
          case ConfigVerdict.Refused(_, var errors) -> errors.getFirst().detail();
        };
    assertThat(seen).contains(verdict);
  }

  @Test
  void aMergeOfItselfEnds() {
    String text = HEAD + "  - &a {<<: *a, <<: *a, aesgcm: {keys: []}}\n";
    assertThat(ConfigLoader.standard().load(text)).isInstanceOf(ConfigVerdict.Refused.class);
  }

  @Test
  void jsonMayBeIndentedByTabs() {
    String json =
        """
        {
        \t"apiVersion": "apiserver.config.k8s.io/v1", "kind": "EncryptionConfiguration",
        \t"resources": [{"resources": ["secrets"], "providers": [{"identity": {}}]}]
        }
        """;
    assertThat(show(ConfigLoader.standard().load(json))).isEqualTo("accepted");
  }

  @Test
  void deepNestingIsRefusedAndDoesNotEatTheStack() {
    assertThat(show(ConfigLoader.standard().load("[".repeat(100_000)))).isEqualTo("DECODE");
    assertThat(show(ConfigLoader.standard().load("- ".repeat(100_000)))).isEqualTo("DECODE");
  }

  /// Before, 8 MB took 36 s.
  @Test
  void finding23OneLongTokenTakesLinearTime() {
    String name = "a".repeat(8 << 20);
    for (String word : List.of(name, "'" + name + "'", "\"" + name + "\"")) {
      var text = HEAD + "  - aescbc: {keys: [{name: " + word + ", secret: " + KEY + "}]}\n";
      assertTimeoutPreemptively(
          Duration.ofSeconds(5),
          () -> assertThat(show(ConfigLoader.standard().load(text))).isEqualTo("accepted"));
    }
  }

  @Test
  void finding08FilesAboveThreeMegabytesAreAccepted() {
    String key = "    - {name: k, secret: " + KEY + "}\n";
    String text = HEAD + "  - aescbc:\n      keys:\n" + ("  " + key).repeat(60_000);
    assertThat(show(ConfigLoader.standard().load(text))).isEqualTo("accepted");
  }

  @Test
  void finding30AYamlBombIsNamed() {
    var text = new StringBuilder("a0: &a0 [x, x, x, x, x, x, x, x, x, x]\n");
    for (int level = 1; level < 10; level++) {
      String alias = "*a" + (level - 1);
      text.append("a" + level + ": &a" + level + " [")
          .append((alias + ", ").repeat(9))
          .append(alias + "]\n");
    }
    var verdict = (ConfigVerdict.Refused) ConfigLoader.standard().load(text.toString());
    assertThat(verdict.errors()).hasSize(1);
    assertThat(verdict.errors().getFirst().detail())
        .isEqualTo(
            "Aliases expand the document to too many values; kube-apiserver rejects excessive aliasing.");
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          unix://[::1]/a   | accepted
          unix://[]/a      | VALIDATE
          unix://[1.2.3.4]/a | VALIDATE
          unix://x[::1]/a  | VALIDATE
          unix://%41/a     | VALIDATE
          unix://%c3%a9/a  | accepted
          unix://u{@x/a    | VALIDATE
          'unix:///a#%zz'  | VALIDATE
          """)
  void finding08EndpointsAreParsedAsGoParsesThem(String endpoint, String stage) {
    var text = HEAD + "  - kms: {apiVersion: v2, name: a, endpoint: '" + endpoint + "'}\n";
    assertThat(show(ConfigLoader.standard().load(text))).isEqualTo(stage);
  }

  @Test
  void everyTextGetsAVerdict() {
    var random = new Random(5);
    String whole = HEAD + "  - aescbc: {keys: [{name: k, secret: " + KEY + "}]}\n";
    for (int round = 0; round < 3_000; round++) {
      var text = new StringBuilder(whole);
      for (int change = 0; change < 3; change++) {
        int at = random.nextInt(text.length());
        text.setCharAt(at, "{}[]:-*&!|>'\"%@`#\t\n \0a1".charAt(random.nextInt(23)));
      }
      assertThat(ConfigLoader.standard().load(text.toString())).isNotNull();
    }
  }

  private static String show(ConfigVerdict verdict) {
    return switch (verdict) {
      case ConfigVerdict.Accepted _ -> "accepted";
      case ConfigVerdict.Refused(var stage, _) -> stage.name();
    };
  }
}
