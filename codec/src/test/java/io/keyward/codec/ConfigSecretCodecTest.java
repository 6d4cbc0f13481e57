package io.keyward.codec;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStack;
import io.keyward.core.model.key.Mode;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ConfigSecretCodecTest {
  private static final Resource SECRETS = Resource.parse("secrets");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                       | write | read                       | providers
          a writer                     | 1     | aescbc:1                   | aescbc:1 identity
          nobody writes yet            | -     | aescbc:1                   | identity aescbc:1
          off                          | 2     | identity:2 aescbc:1        | identity aescbc:1 aesgcm:2
          off, and its secret was lost | 2     | identity:3 identity:2 aescbc:1 | identity aescbc:1 aesgcm:2 aesgcm:3
          KMS over local keys          | 8     | KMS:8 aescbc:7 aescbc:5    | kms:8_secrets aescbc:7 aescbc:5 identity
          a marker stays at the end    | 3     | aescbc:3 identity:2 aescbc:1 | aescbc:3 aescbc:1 identity aesgcm:2
          the next key is read         | 3     | aescbc:4 aescbc:3 identity:2 | aescbc:3 aescbc:4 identity aesgcm:2
          KMS to KMS                   | 12    | KMS:13 KMS:12 aescbc:11    | kms:12_secrets kms:13_secrets aescbc:11 identity
          KMS left                     | 14    | identity:14 KMS:13 KMS:12  | identity kms:13_secrets kms:12_secrets aesgcm:14
          secretbox                    | 2     | secretbox:2 aesgcm:1       | secretbox:2 aesgcm:1 identity
          """)
  void laysProvidersOutAsOthersDoAndReadsThemBack(
      String name, String write, String read, String providers) {
    EncryptionLayout layout = layout(write, read);
    SecretObject secret = ConfigSecretCodec.encode("openshift-kube-apiserver", layout);
    assertThat(shape(secret)).as(name).isEqualTo(providers);
    assertThat(ConfigSecretCodec.decode(secret)).isEqualTo(Decoded.good(Optional.of(layout)));
  }

  @Test
  void theSecretIsWhatOthersRead() {
    SecretObject secret =
        ConfigSecretCodec.encode("openshift-kube-apiserver", layout("1", "KMS:1"));
    assertThat(secret.name()).isEqualTo("encryption-config-openshift-kube-apiserver");
    assertThat(secret.labels()).isEmpty();
    assertThat(secret.finalizers())
        .containsExactly("encryption.apiserver.operator.openshift.io/deletion-protection");
    assertThat(secret.data().keySet())
        .containsExactly(
            "encryption-config",
            "kms-plugin-config-1",
            "kms-plugin-configmap-vault-ca-bundle_ca-bundle.crt-1",
            "kms-plugin-secret-vault-approle_role-id-1",
            "kms-plugin-secret-vault-approle_secret-id-1");
    assertThat(config(secret))
        .isEqualTo(
            "{\"kind\":\"EncryptionConfiguration\",\"apiVersion\":\"apiserver.config.k8s.io/v1\","
                + "\"resources\":[{\"resources\":[\"secrets\"],\"providers\":[{\"kms\":{\"apiVersion\":"
                + "\"v2\",\"name\":\"1_secrets\",\"endpoint\":\"unix:///var/run/kmsplugin/kms-1.sock\","
                + "\"timeout\":\"10s\"}},{\"identity\":{}}]}]}\n");
  }

  @Test
  void aSecretWithoutAConfigurationHasNone() {
    assertThat(ConfigSecretCodec.decode(secret(Map.of("other", "x"))))
        .isEqualTo(Decoded.good(Optional.empty()));
  }

  /// W24: the timeout of KMS calls is not fixed.
  @Test
  void w24ATimeoutIsKept() {
    String yaml =
        """
        kind: EncryptionConfiguration
        resources:
        - resources: [secrets]
          providers:
          - kms: {apiVersion: v2, name: 3_secrets, endpoint: "unix:///x.sock", timeout: 27s}
          - identity: {}
        """;
    var read = ConfigSecretCodec.decode(secret(Map.of("encryption-config", yaml)));
    assertThat(read)
        .isInstanceOfSatisfying(
            Decoded.Good.class,
            good -> {
              var layout = (EncryptionLayout) ((Optional<?>) good.value()).orElseThrow();
              var key = layout.stack(SECRETS).reads().getFirst().key();
              assertThat(key.kms().orElseThrow().endpoint().timeout()).isEqualTo("27s");
            });
  }

  @Test
  void yamlAndMissingDefaultsAreUnderstood() {
    String yaml =
        """
        kind: EncryptionConfiguration
        resources:
        - resources: [secrets]
          providers:
          - kms: {name: 3_by_others, endpoint: "unix:///x.sock"}
          - identity: {}
        """;
    var read = ConfigSecretCodec.decode(secret(Map.of("encryption-config", yaml)));
    assertThat(read)
        .isInstanceOfSatisfying(
            Decoded.Good.class,
            good -> {
              var layout = (EncryptionLayout) ((Optional<?>) good.value()).orElseThrow();
              var slot = layout.stack(SECRETS).reads().getFirst();
              assertThat(slot.providerName()).isEqualTo("3_by_others");
              assertThat(slot.key().kms().orElseThrow().endpoint().timeout()).isEqualTo("3s");
              assertThat(slot.key().kms().orElseThrow().endpoint().apiVersion()).isEqualTo("v1");
              assertThat(slot.key().isComplete()).isFalse();
            });
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      quoteCharacter = '`',
      textBlock =
          """
          # case                        | entry                   | text                                                                                                                                                                            | problem
          no JSON                       | encryption-config       | {                                                                                                                                                                               | undecodable
          resources that are no list    | encryption-config       | {"resources":{"a":[]}}                                                                                                                                                          | resources that are no list
          an entry that is no object    | encryption-config       | {"resources":["a"]}                                                                                                                                                             | exactly one resource
          two resources in an entry     | encryption-config       | {"resources":[{"resources":["a","b"],"providers":[]}]}                                                                                                                          | exactly one resource
          no resource in an entry       | encryption-config       | {"resources":[{"providers":[]}]}                                                                                                                                                | exactly one resource
          a resource twice              | encryption-config       | {"resources":[{"resources":["a"]},{"resources":["a"]}]}                                                                                                                         | twice
          providers that are no list    | encryption-config       | {"resources":[{"resources":["a"],"providers":{"aescbc":{}}}]}                                                                                                                   | providers of a that are no list
          a provider that is no object  | encryption-config       | {"resources":[{"resources":["a"],"providers":[5]}]}                                                                                                                             | not understood
          an unknown provider           | encryption-config       | {"resources":[{"resources":["a"],"providers":[{"rot13":{}}]}]}                                                                                                                  | not understood
          two providers in one          | encryption-config       | {"resources":[{"resources":["a"],"providers":[{"identity":{},"aescbc":{}}]}]}                                                                                                   | not understood
          a KMS name without a serial   | encryption-config       | {"resources":[{"resources":["a"],"providers":[{"kms":{"name":"x","endpoint":"unix:///x"}}]}]}                                                                                   | not understood
          a KMS without a socket        | encryption-config       | {"resources":[{"resources":["a"],"providers":[{"kms":{"name":"1_a"}}]}]}                                                                                                        | not understood
          two keys in a provider        | encryption-config       | {"resources":[{"resources":["a"],"providers":[{"aescbc":{"keys":[{},{}]}}]}]}                                                                                                   | not understood
          a key whose name is no serial | encryption-config       | {"resources":[{"resources":["a"],"providers":[{"aescbc":{"keys":[{"name":"x","secret":"AAAA"}]}}]}]}                                                                            | not understood
          a key that is no base64       | encryption-config       | {"resources":[{"resources":["a"],"providers":[{"aescbc":{"keys":[{"name":"1","secret":"!"}]}}]}]}                                                                               | not understood
          a serial that means two keys  | encryption-config       | {"resources":[{"resources":["a"],"providers":[{"aescbc":{"keys":[{"name":"1","secret":"AAAA"}]}},{"secretbox":{"keys":[{"name":"1","secret":"AAAA"}]}}]}]}                      | different keys with the serial 1
          it differs between resources  | encryption-config       | {"resources":[{"resources":["a"],"providers":[{"kms":{"name":"1_a","endpoint":"unix:///x"}}]},{"resources":["b"],"providers":[{"kms":{"name":"1_b","endpoint":"unix:///y"}}]}]} | different keys with the serial 1
          a plugin config of no key     | kms-plugin-config-x     | {}                                                                                                                                                                              | malformed data key
          a plugin config of nothing    | kms-plugin-config-1     | {}                                                                                                                                                                              | is not an APIServer
          a secret of no key            | kms-plugin-secret-a_b-x | x                                                                                                                                                                               | malformed data key
          a secret without a border     | kms-plugin-secret-ab-1  | x                                                                                                                                                                               | malformed data key
          a secret without a value      | kms-plugin-secret-a_b-1 | ``                                                                                                                                                                              | malformed data key
          """)
  void saysWhatIsWrongAndDropsNothing(String name, String entry, String text, String problem) {
    var data = new TreeMap<String, String>(Map.of("encryption-config", "{\"resources\":[]}"));
    data.put(entry, text);
    assertThat(ConfigSecretCodec.decode(secret(data)))
        .as(name)
        .isInstanceOfSatisfying(
            Decoded.Bad.class, bad -> assertThat(bad.problem().what()).contains(problem));
  }

  @Test
  void onePluginConfigurationUnderTwoNamesIsTold() {
    String plugin = KeySecretCodecTest.plugin().document();
    var secret =
        secret(
            Map.of(
                "encryption-config",
                "{\"resources\":[]}",
                "kms-plugin-config-1",
                plugin,
                "kms-plugin-config-01",
                plugin));
    assertThat(ConfigSecretCodec.decode(secret))
        .isInstanceOfSatisfying(
            Decoded.Bad.class,
            bad -> assertThat(bad.problem().what()).contains("malformed data key"));
  }

  private static SecretObject secret(Map<String, String> texts) {
    var data = new TreeMap<String, DataValue>();
    texts.forEach((name, text) -> data.put(name, KeySecretCodecTest.bytes(text)));
    return new SecretObject("ns", "n", new TreeMap<>(), new TreeMap<>(), List.of(), data);
  }

  private static EncryptionLayout layout(String write, String read) {
    var slots = new ArrayList<KeyStack.Slot>();
    for (String word : read.split(" ", -1)) {
      String[] parts = word.split(":", -1);
      Mode mode = Mode.parse(parts[0]).orElseThrow();
      var serial = new KeySerial(Long.parseLong(parts[1]));
      byte[] material = new byte[32];
      material[0] = (byte) serial.value();
      slots.add(
          new KeyStack.Slot(
              Key.unbacked(
                  serial,
                  mode,
                  mode.isLocal() ? KeyMaterial.copyOf(material) : Key.NULL_MATERIAL,
                  mode == Mode.KMS
                      ? KeySecretCodecTest.kmsKey(serial.value()).kms()
                      : Optional.empty()),
              mode == Mode.KMS ? serial + "_secrets" : ""));
    }
    var stacks = new TreeMap<Resource, KeyStack>();
    stacks.put(
        SECRETS,
        new KeyStack(
            write.equals("-")
                ? Optional.empty()
                : Optional.of(new KeySerial(Long.parseLong(write))),
            slots));
    return new EncryptionLayout(stacks);
  }

  private static String config(SecretObject secret) {
    return Json.text(secret.data().getOrDefault("encryption-config", Json.bytes("")));
  }

  static String shape(SecretObject secret) {
    var root = Json.read(config(secret)).orElseThrow();
    var words = new ArrayList<String>();
    for (var provider : root.at("/resources/0/providers")) {
      var only = provider.properties().iterator().next();
      String name =
          only.getKey().equals("kms")
              ? only.getValue().path("name").asText()
              : only.getValue().at("/keys/0/name").asText();
      words.add(name.isEmpty() ? only.getKey() : only.getKey() + ":" + name);
    }
    return String.join(" ", words);
  }
}
