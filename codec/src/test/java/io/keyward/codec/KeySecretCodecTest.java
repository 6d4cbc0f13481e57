package io.keyward.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Resource;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ReferenceData;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;
import java.util.TreeSet;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.EnumSource;

final class KeySecretCodecTest {
  static final String KMS =
      """
      {"type":"Vault","vault":{"kmsPluginImage":"registry.example.com/p@sha256:00","vaultAddress":"https://vault.example.com:8200","tls":{"caBundle":{"name":"vault-ca-bundle"}},"authentication":{"type":"AppRole","appRole":{"secret":{"name":"vault-approle"}}},"vaultKeyPath":"transit/keys/my-key"}}\
      """;
  private static final String P = "encryption.apiserver.operator.openshift.io";

  static Key kmsKey(long serial) {
    var secrets = new TreeMap<String, DataValue>();
    secrets.put("vault-approle_role-id", bytes("role-123"));
    secrets.put("vault-approle_secret-id", bytes("secret-456"));
    var maps = new TreeMap<String, DataValue>();
    maps.put("vault-ca-bundle_ca-bundle.crt", bytes("test-ca-cert"));
    var id = new KeySerial(serial);
    return new Key(
        id,
        Mode.KMS,
        Key.NULL_MATERIAL,
        true,
        Optional.of(
            new KmsKey(
                new KmsEndpoint("v2", "unix:///var/run/kmsplugin/kms-" + id + ".sock", "10s"),
                Optional.of(plugin()),
                new ReferenceData(secrets),
                new ReferenceData(maps))),
        Migrated.NOTHING
            .with(
                Resource.parse("secrets"),
                Optional.of(new KekId("v1")),
                Instant.parse("2026-01-15T00:00:00Z"))
            .with(
                Resource.parse("routes.route.openshift.io"),
                Optional.empty(),
                Instant.parse("2026-01-15T00:00:01Z")),
        "secrets-key-does-not-exist",
        "");
  }

  static KmsPluginConfig plugin() {
    return ((Decoded.Good<KmsPluginConfig>) PluginConfigCodec.fromSpec(KMS)).value();
  }

  static DataValue bytes(String text) {
    return DataValue.copyOf(text.getBytes(UTF_8));
  }

  /// W4: both ways, so that either controller can take over.
  @Test
  void w4TheRemoteKeyIsRecordedAsOthersDo() {
    var secrets = new TreeSet<>(List.of(new Resource("", "secrets")));
    Instant since = Instant.parse("2026-01-15T00:00:00Z");
    Migrated done =
        new Migrated(secrets, Optional.of(since), new TreeMap<>())
            .with(secrets.first(), Optional.of(new KekId("v7")), Optional.of(since), since);
    SecretObject secret = KeySecretCodec.encode("a", kmsKey(1).with(done));
    assertThat(secret.annotations())
        .containsEntry(P + "/target-remote-key-id", "v7")
        .containsEntry(P + "/migrated-remote-key-id", "v7")
        .containsEntry(P + "/remote-key-converged-id", "v7")
        .containsEntry(P + "/remote-key-converged-at", "2026-01-15T00:00:00Z");
    var others = new TreeMap<>(secret.annotations());
    others.remove(P + "/migrated-kms-key-ids");
    others.remove(P + "/migrated-kms-key-ids-since");
    assertThat(migrated(secret, others)).isEqualTo(done);

    // W23: after a request to re-encrypt, the record of others is void as well.
    others.put(P + "/reencrypt-requested", "now");
    assertThat(migrated(secret, others).reencryption().open()).contains("now");
    others.put(P + "/reencrypt-served", "now");
    assertThat(migrated(secret, others).keks()).isEmpty();
    assertThat(migrated(secret, others).reencryption().open()).isEmpty();
  }

  private static Migrated migrated(SecretObject secret, SortedMap<String, String> annotations) {
    var changed =
        new SecretObject(
            secret.namespace(),
            secret.name(),
            secret.labels(),
            annotations,
            secret.finalizers(),
            secret.data());
    return ((Decoded.Good<Key>) KeySecretCodec.decode(changed)).value().migrated();
  }

  @Test
  void namesLabelsAnnotationsAndDataAreWhatOthersRead() {
    SecretObject secret = KeySecretCodec.encode("openshift-kube-apiserver", kmsKey(1));
    assertThat(secret.namespace()).isEqualTo("openshift-config-managed");
    assertThat(secret.name()).isEqualTo("encryption-key-openshift-kube-apiserver-1");
    assertThat(secret.labels()).isEqualTo(Map.of(P + "/component", "openshift-kube-apiserver"));
    assertThat(secret.finalizers()).isEqualTo(List.of(P + "/deletion-protection"));
    assertThat(secret.annotations())
        .containsEntry(P + "/mode", "KMS")
        .containsEntry(P + "/internal-reason", "secrets-key-does-not-exist")
        .containsEntry(P + "/external-reason", "")
        .containsEntry(P + "/migrated-timestamp", "2026-01-15T00:00:01Z")
        .containsEntry(
            P + "/migrated-resources",
            "{\"resources\":[{\"Group\":\"route.openshift.io\",\"Resource\":\"routes\"},"
                + "{\"Group\":\"\",\"Resource\":\"secrets\"}]}")
        .containsEntry(P + "/migrated-kms-key-ids", "{\"secrets\":\"v1\"}")
        .containsKey("kubernetes.io/description")
        // One id for the whole key would be a lie: routes have none.
        .doesNotContainKey(P + "/migrated-remote-key-id");
    assertThat(secret.data())
        .containsEntry(P + "-key", DataValue.copyOf(new byte[16]))
        .containsEntry(
            P + "-kms-encryption-config",
            bytes(
                "{\"kind\":\"EncryptionConfiguration\",\"apiVersion\":\"apiserver.config.k8s.io/v1\","
                    + "\"resources\":[{\"resources\":null,\"providers\":[{\"kms\":{\"apiVersion\":\"v2\","
                    + "\"name\":\"1\",\"endpoint\":\"unix:///var/run/kmsplugin/kms-1.sock\","
                    + "\"timeout\":\"10s\"}}]}]}\n"))
        .containsEntry(
            P + "-kms-plugin-config",
            bytes(
                "{\"kind\":\"APIServer\",\"apiVersion\":\"config.openshift.io/v1\",\"metadata\":{},"
                    + "\"spec\":{\"servingCerts\":{},\"clientCA\":{\"name\":\"\"},\"encryption\":{\"kms\":"
                    + KMS
                    + "},\"audit\":{}},\"status\":{}}\n"))
        .containsEntry(P + "-kms-plugin-secret-vault-approle_role-id", bytes("role-123"))
        .containsEntry(P + "-kms-plugin-secret-vault-approle_secret-id", bytes("secret-456"))
        .containsEntry(
            P + "-kms-plugin-configmap-vault-ca-bundle_ca-bundle.crt", bytes("test-ca-cert"))
        .hasSize(6);
  }

  @Test
  void whatIsWrittenIsReadBack() {
    assertThat(KeySecretCodec.decode(KeySecretCodec.encode("c", kmsKey(7))))
        .isEqualTo(Decoded.good(kmsKey(7)));
  }

  @ParameterizedTest
  @EnumSource(KeyStage.class)
  void theStageIsReadBack(KeyStage stage) {
    Key key = kmsKey(7).at(stage);
    assertThat(KeySecretCodec.decode(KeySecretCodec.encode("c", key))).isEqualTo(Decoded.good(key));
  }

  /// What others made, and what a later release means by a word, may protect data.
  @ParameterizedTest
  @CsvSource({"read-only,READ_ONLY", "retracted,RETRACTED", "new,WRITE", "RETRACTED,WRITE"})
  void aStageThatIsNotUnderstoodMayHaveWritten(String word, KeyStage stage) {
    SecretObject secret = KeySecretCodec.encode("c", kmsKey(7));
    assertThat(secret.annotations()).containsEntry(P + "/stage", "write");
    var annotations = new TreeMap<>(secret.annotations());
    annotations.put(P + "/stage", word);
    var changed =
        new SecretObject(
            secret.namespace(),
            secret.name(),
            secret.labels(),
            annotations,
            secret.finalizers(),
            secret.data());
    assertThat(KeySecretCodec.decode(changed)).isEqualTo(Decoded.good(kmsKey(7).at(stage)));
  }

  @Test
  void aMemberOfALaterReleaseSurvives() {
    String later = KMS.replace("\"vaultKeyPath\"", "\"newField\":{\"x\":[1,2]},\"vaultKeyPath\"");
    var read = ((Decoded.Good<KmsPluginConfig>) PluginConfigCodec.fromSpec(later)).value();
    assertThat(read.document()).contains("\"newField\":{\"x\":[1,2]}");
    assertThat(read.spec().remoteKey()).isNotEqualTo(plugin().spec().remoteKey());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                        | change                                                      | problem
          a name without a number       | name=encryption-key-x                                       | has an invalid name
          a signed number               | name=key--1x                                                | has an invalid name
          no mode                       | mode=                                                       | has invalid mode:
          a mode in another case        | mode=kms                                                    | has invalid mode: kms
          a timestamp that is none      | at=yesterday                                                | has an invalid migrated-timestamp
          resources that are no JSON    | resources={                                                 | has invalid migrated-resources
          resources of another shape    | resources={"a":1}                                           | has invalid migrated-resources
          a KEK that is no text         | keks={"secrets":1}                                          | has invalid migrated-kms-key-ids
          a KEK since no time           | since={"secrets":"x"}                                       | has invalid migrated-kms-key-ids-since
          no key                        | -key                                                        | of mode "KMS" must have non-empty key
          an empty key                  | key=                                                        | of mode "KMS" must have non-empty key
          a local key that is empty     | mode=aescbc key=                                            | of mode "aescbc" must have non-empty key
          a local key of odd length     | mode=aescbc key=12345                                       | of mode "aescbc" has a key of 5 bytes
          a secretbox key that is short | mode=secretbox key=1234567890123456                         | of mode "secretbox" has a key of 16 bytes
          a local key of zeros          | mode=aesgcm                                                 | of mode "aesgcm" must not have a key of zero bytes
          a plaintext key with a key    | mode=identity key=1234567890123456                          | of mode "identity" must have no key or 16 zero bytes
          no encryption config          | -kms-encryption-config                                      | of mode KMS must have
          no plugin config              | -kms-plugin-config                                          | of mode KMS must have
          an unreadable config          | config={                                                    | has an undecodable KMS encryption config
          an empty config               | config=                                                     | has an undecodable KMS encryption config
          a config without a socket     | config={"resources":[{"providers":[{"kms":{"name":"1"}}]}]} | has an undecodable KMS encryption config
          an unreadable plugin config   | plugin=[]                                                   | is not an APIServer with
          an empty plugin config        | plugin=                                                     | is not an APIServer with
          a reference without a border  | +kms-plugin-secret-x                                        | has malformed data key
          a reference without a name    | +kms-plugin-secret-_x                                       | has malformed data key
          a reference without a key     | +kms-plugin-configmap-x_                                    | has malformed data key
          a reference without a value   | 0kms-plugin-secret-x_y                                      | has malformed data key
          """)
  void saysWhatIsWrongWithASecret(String name, String change, String problem) {
    SecretObject good = KeySecretCodec.encode("c", kmsKey(1));
    var annotations = new TreeMap<>(good.annotations());
    var data = new TreeMap<>(good.data());
    String secretName = good.name();
    for (String one : change.split(" ", -1)) {
      String value = one.substring(one.indexOf('=') + 1);
      switch (one.substring(0, Math.max(1, one.indexOf('=')))) {
        case "name" -> secretName = value;
        case "mode" -> annotations.put(P + "/mode", value);
        case "at" -> annotations.put(P + "/migrated-timestamp", value);
        case "resources" -> annotations.put(P + "/migrated-resources", value);
        case "keks" -> annotations.put(P + "/migrated-kms-key-ids", value);
        case "since" -> annotations.put(P + "/migrated-kms-key-ids-since", value);
        case "key" -> data.put(P + "-key", bytes(value));
        case "config" -> data.put(P + "-kms-encryption-config", bytes(value));
        case "plugin" -> data.put(P + "-kms-plugin-config", bytes(value));
        case "+" -> data.put(P + "-" + one.substring(1), bytes("x"));
        case "0" -> data.put(P + "-" + one.substring(1), bytes(""));
        default -> data.remove(P + one);
      }
    }
    var secret =
        new SecretObject(good.namespace(), secretName, good.labels(), annotations, List.of(), data);
    assertThat(KeySecretCodec.decode(secret))
        .as(name)
        .isInstanceOfSatisfying(
            Decoded.Bad.class, bad -> assertThat(bad.problem().what()).contains(problem));
  }

  @Test
  void aPlaintextKeyWithoutBytesHasTheMarkersBytes() {
    var plain =
        new Key(
            new KeySerial(2),
            Mode.IDENTITY,
            Key.NULL_MATERIAL,
            true,
            Optional.empty(),
            Migrated.NOTHING,
            "",
            "");
    SecretObject good = KeySecretCodec.encode("c", plain);
    for (int size : new int[] {0, 16}) {
      var data =
          new TreeMap<String, DataValue>(Map.of(P + "-key", DataValue.copyOf(new byte[size])));
      var secret =
          new SecretObject("ns", good.name(), good.labels(), good.annotations(), List.of(), data);
      assertThat(KeySecretCodec.decode(secret)).isEqualTo(Decoded.good(plain));
    }
  }

  @Test
  void whatIsQuotedIsCut() {
    SecretObject good = KeySecretCodec.encode("c", kmsKey(1));
    var annotations = new TreeMap<>(good.annotations());
    annotations.put(P + "/mode", "x".repeat(200_000));
    var secret =
        new SecretObject("ns", good.name(), good.labels(), annotations, List.of(), good.data());
    assertThat(KeySecretCodec.decode(secret))
        .isInstanceOfSatisfying(
            Decoded.Bad.class, bad -> assertThat(bad.problem().what()).hasSizeLessThan(400));
  }

  @Test
  void w13TheFingerprintIsKeyedDelimitedAndEightCharacters() {
    Key key = kmsKey(1);
    KmsKey kms = key.kms().orElseThrow();
    DataValue salt = DataValue.copyOf(new byte[16]);
    var print = Fingerprints.of(plugin(), kms.secrets(), kms.configMaps(), salt);
    assertThat(print.value()).matches("[A-Za-z0-9_-]{8}");
    assertThat(
            Fingerprints.of(plugin(), kms.secrets(), kms.configMaps(), bytes("another salt, 16")))
        .isNotEqualTo(print);
    assertThat(Fingerprints.of(plugin(), kms.configMaps(), kms.secrets(), salt))
        .isNotEqualTo(print);
    var moved = new TreeMap<String, DataValue>();
    moved.put("vault-approle_role-id", bytes("role-12"));
    moved.put("vault-approle_secret-id", bytes("3secret-456"));
    assertThat(Fingerprints.of(plugin(), new ReferenceData(moved), kms.configMaps(), salt))
        .isNotEqualTo(print);
  }
}
