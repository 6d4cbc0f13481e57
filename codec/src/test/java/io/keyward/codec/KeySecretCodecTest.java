package io.keyward.codec;

import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.Bytes;
import io.keyward.core.model.KekId;
import io.keyward.core.model.Key;
import io.keyward.core.model.KeySerial;
import io.keyward.core.model.KmsEndpoint;
import io.keyward.core.model.KmsKey;
import io.keyward.core.model.Migrated;
import io.keyward.core.model.Mode;
import io.keyward.core.model.PluginConfig;
import io.keyward.core.model.ReferenceData;
import io.keyward.core.model.Resource;
import java.time.Instant;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KeySecretCodecTest {
  static final String KMS =
      """
      {"type":"Vault","vault":{"kmsPluginImage":"registry.example.com/p@sha256:00","vaultAddress":"https://vault.example.com:8200","tls":{"caBundle":{"name":"vault-ca-bundle"}},"authentication":{"type":"AppRole","appRole":{"secret":{"name":"vault-approle"}}},"vaultKeyPath":"transit/keys/my-key"}}\
      """;
  private static final String P = "encryption.apiserver.operator.openshift.io";

  static Key kmsKey(long serial) {
    var secrets = new TreeMap<String, Bytes>();
    secrets.put("vault-approle_role-id", bytes("role-123"));
    secrets.put("vault-approle_secret-id", bytes("secret-456"));
    var maps = new TreeMap<String, Bytes>();
    maps.put("vault-ca-bundle_ca-bundle.crt", bytes("test-ca-cert"));
    var id = new KeySerial(serial);
    return new Key(
        id,
        Mode.KMS,
        Key.NULL_MATERIAL,
        true,
        Optional.of(
            new KmsKey(
                KmsEndpoint.of(id),
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

  static PluginConfig plugin() {
    return ((Decoded.Good<PluginConfig>) PluginConfigCodec.fromSpec(KMS)).value();
  }

  static Bytes bytes(String text) {
    return Bytes.copyOf(text.getBytes(UTF_8));
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
        .containsKey("kubernetes.io/description");
    assertThat(secret.data())
        .containsEntry(P + "-key", Bytes.copyOf(new byte[16]))
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

  @Test
  void aMemberOfALaterReleaseSurvives() {
    String later = KMS.replace("\"vaultKeyPath\"", "\"newField\":{\"x\":[1,2]},\"vaultKeyPath\"");
    var read = ((Decoded.Good<PluginConfig>) PluginConfigCodec.fromSpec(later)).value();
    assertThat(read.document()).contains("\"newField\":{\"x\":[1,2]}");
    assertThat(read.spec().remoteKey()).isNotEqualTo(plugin().spec().remoteKey());
  }

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                        | change               | problem
          a name without a number       | name=encryption-key-x | has an invalid name
          a signed number               | name=key--1x         | has an invalid name
          no mode                       | mode=                | has invalid mode:
          a mode in another case        | mode=kms             | has invalid mode: kms
          a timestamp that is none      | at=yesterday         | has an invalid migrated-timestamp
          resources that are no JSON    | resources={          | has invalid migrated-resources
          resources of another shape    | resources={"a":1}    | has invalid migrated-resources
          no key                        | -key                 | of mode "KMS" must have non-empty key
          no encryption config          | -kms-encryption-config | of mode KMS must have
          no plugin config              | -kms-plugin-config   | of mode KMS must have
          an unreadable config          | config={             | has an undecodable KMS encryption config
          an unreadable plugin config   | plugin=[]            | is not an APIServer with
          a reference without a border  | +kms-plugin-secret-x | has malformed data key
          a reference without a name    | +kms-plugin-secret-_x | has malformed data key
          a reference without a key     | +kms-plugin-configmap-x_ | has malformed data key
          """)
  void saysWhatIsWrongWithASecret(String name, String change, String problem) {
    SecretObject good = KeySecretCodec.encode("c", kmsKey(1));
    var annotations = new TreeMap<>(good.annotations());
    var data = new TreeMap<>(good.data());
    String secretName = good.name();
    String value = change.substring(change.indexOf('=') + 1);
    if (change.startsWith("name=")) {
      secretName = value;
    } else if (change.startsWith("mode=")) {
      annotations.put(P + "/mode", value);
    } else if (change.startsWith("at=")) {
      annotations.put(P + "/migrated-timestamp", value);
    } else if (change.startsWith("resources=")) {
      annotations.put(P + "/migrated-resources", value);
    } else if (change.startsWith("config=")) {
      data.put(P + "-kms-encryption-config", bytes(value));
    } else if (change.startsWith("plugin=")) {
      data.put(P + "-kms-plugin-config", bytes(value));
    } else if (change.startsWith("+")) {
      data.put(P + "-" + change.substring(1), bytes("x"));
    } else {
      data.remove(P + change);
    }
    var secret =
        new SecretObject(good.namespace(), secretName, good.labels(), annotations, List.of(), data);
    assertThat(KeySecretCodec.decode(secret))
        .as(name)
        .isInstanceOfSatisfying(
            Decoded.Bad.class, bad -> assertThat(bad.problem().what()).contains(problem));
  }

  @Test
  void w13TheFingerprintIsKeyedDelimitedAndEightCharacters() {
    Key key = kmsKey(1);
    KmsKey kms = key.kms().orElseThrow();
    Bytes salt = Bytes.copyOf(new byte[16]);
    var print = Fingerprints.of(plugin(), kms.secrets(), kms.configMaps(), salt);
    assertThat(print.value()).matches("[A-Za-z0-9_-]{8}");
    assertThat(
            Fingerprints.of(plugin(), kms.secrets(), kms.configMaps(), bytes("another salt, 16")))
        .isNotEqualTo(print);
    assertThat(Fingerprints.of(plugin(), kms.configMaps(), kms.secrets(), salt))
        .isNotEqualTo(print);
    var moved = new TreeMap<String, Bytes>();
    moved.put("vault-approle_role-id", bytes("role-12"));
    moved.put("vault-approle_secret-id", bytes("3secret-456"));
    assertThat(Fingerprints.of(plugin(), new ReferenceData(moved), kms.configMaps(), salt))
        .isNotEqualTo(print);
  }
}
