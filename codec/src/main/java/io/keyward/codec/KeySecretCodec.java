package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeyMaterial;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.key.KeyStage;
import io.keyward.core.model.key.Migrated;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KmsEndpoint;
import io.keyward.core.model.kms.KmsKey;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A key to and from its secret.
public final class KeySecretCodec {
  private static final String NO_KEY = "must have non-empty key";

  private KeySecretCodec() {}

  /// The secret of a key that is complete; see [Key#isComplete].
  public static SecretObject encode(String component, Key key) {
    if (!key.isComplete()) {
      throw new IllegalArgumentException("a KMS key without its configuration has no secret");
    }
    var annotations = new TreeMap<String, String>();
    annotations.put(WireNames.DESCRIPTION, WireNames.WARNING);
    annotations.put(WireNames.MODE, key.mode().word());
    annotations.put(WireNames.INTERNAL_REASON, key.internalReason());
    annotations.put(WireNames.EXTERNAL_REASON, key.externalReason());
    MigratedCodec.encode(key.migrated(), annotations);
    if (key.mode() == Mode.KMS) {
      // Also that it may write: what is only left out does not replace what stands on a secret.
      annotations.put(WireNames.STAGE, word(key.stage()));
    }
    var data = new TreeMap<String, DataValue>();
    data.put(WireNames.KEY_DATA, DataValue.copyOf(key.material().revealKey()));
    key.kms().ifPresent(kms -> encodeKms(key.serial(), kms, data));
    return new SecretObject(
        WireNames.MANAGED_NAMESPACE,
        WireNames.keySecretName(component, key.serial().value()),
        new TreeMap<>(Map.of(WireNames.COMPONENT_LABEL, component)),
        annotations,
        List.of(WireNames.FINALIZER),
        data);
  }

  private static void encodeKms(KeySerial serial, KmsKey kms, SortedMap<String, DataValue> data) {
    ObjectNode root = Json.object();
    root.put("kind", "EncryptionConfiguration").put("apiVersion", "apiserver.config.k8s.io/v1");
    ObjectNode entry = root.putArray("resources").addObject();
    entry.putNull("resources");
    entry
        .putArray("providers")
        .addObject()
        .set("kms", KmsProviderJson.encode(kms.endpoint(), serial.toString()));
    data.put(WireNames.KMS_ENCRYPTION_CONFIG, Json.bytes(Json.write(root) + "\n"));
    kms.plugin()
        .ifPresent(plugin -> data.put(WireNames.KMS_PLUGIN_CONFIG, Json.bytes(plugin.document())));
    kms.secrets().entries().forEach((n, v) -> data.put(WireNames.KMS_PLUGIN_SECRET + n, v));
    kms.configMaps().entries().forEach((n, v) -> data.put(WireNames.KMS_PLUGIN_CONFIGMAP + n, v));
  }

  /// The serial that a name shows, whatever the secret holds.
  public static Optional<KeySerial> serial(String name) {
    String digits = name.substring(name.lastIndexOf('-') + 1);
    return Digits.parse(digits).map(KeySerial::new);
  }

  public static Decoded<Key> decode(SecretObject secret) {
    String where = "secret " + secret.name();
    Optional<KeySerial> serial = serial(secret.name());
    if (serial.isEmpty()) {
      return Decoded.bad(where, "has an invalid name");
    }
    String word = secret.annotations().getOrDefault(WireNames.MODE, "");
    Optional<Mode> mode = Mode.parse(word);
    if (mode.isEmpty()) {
      return Decoded.bad(where, "has invalid mode: " + word);
    }
    Optional<String> wrong = wrongKey(mode.orElseThrow(), material(secret));
    if (wrong.isPresent()) {
      return Decoded.bad(where, "of mode \"" + word + "\" " + wrong.orElseThrow());
    }
    return MigratedCodec.decode(secret.annotations(), where)
        .then(migrated ->
            mode.orElseThrow() == Mode.KMS
                ? kms(secret, where)
                    .then(k -> key(secret, migrated, mode.orElseThrow(), Optional.of(k)))
                : key(secret, migrated, mode.orElseThrow(), Optional.empty()));
  }

  private static KeyMaterial material(SecretObject secret) {
    DataValue entry = secret.data().get(WireNames.KEY_DATA);
    return KeyMaterial.copyOf(entry == null ? new byte[0] : entry.reveal());
  }

  /// What no API server would start with, or would read as another key than was meant.
  private static Optional<String> wrongKey(Mode mode, KeyMaterial material) {
    int size = material.size();
    boolean isNull = material.equals(Key.NULL_MATERIAL);
    return switch (mode) {
      case IDENTITY ->
          size == 0 || isNull
              ? Optional.empty()
              : Optional.of("must have no key or 16 zero bytes, because its marker is no key");
      case KMS -> size == 0 ? Optional.of(NO_KEY) : Optional.empty();
      case AESCBC, AESGCM, SECRETBOX -> {
        boolean fits = mode == Mode.SECRETBOX ? size == 32 : size == 16 || size == 24 || size == 32;
        yield size == 0
            ? Optional.of(NO_KEY)
            : isNull
                ? Optional.of("must not have a key of zero bytes")
                : fits ? Optional.empty() : Optional.of("has a key of " + size + " bytes");
      }
    };
  }

  private static Decoded<Key> key(
      SecretObject secret, Migrated migrated, Mode mode, Optional<KmsKey> kms) {
    return Decoded.good(
        new Key(
            serial(secret.name()).orElseThrow(),
            mode,
            mode == Mode.IDENTITY ? Key.NULL_MATERIAL : material(secret),
            true,
            kms,
            migrated,
            secret.annotations().getOrDefault(WireNames.INTERNAL_REASON, ""),
            secret.annotations().getOrDefault(WireNames.EXTERNAL_REASON, ""),
            mode == Mode.KMS
                ? stage(secret.annotations().getOrDefault(WireNames.STAGE, ""))
                : KeyStage.WRITE));
  }

  private static String word(KeyStage stage) {
    return stage.name().toLowerCase(Locale.ROOT).replace('_', '-');
  }

  /// Other operators do not write it, and what they made may protect data. So may what is not
  /// understood.
  private static KeyStage stage(String word) {
    return Arrays.stream(KeyStage.values())
        .filter(stage -> word(stage).equals(word))
        .findFirst()
        .orElse(KeyStage.WRITE);
  }

  private static Decoded<KmsKey> kms(SecretObject secret, String where) {
    DataValue config = secret.data().get(WireNames.KMS_ENCRYPTION_CONFIG);
    DataValue plugin = secret.data().get(WireNames.KMS_PLUGIN_CONFIG);
    if (config == null || plugin == null) {
      return Decoded.bad(
          where,
          "of mode KMS must have "
              + WireNames.KMS_ENCRYPTION_CONFIG
              + " and "
              + WireNames.KMS_PLUGIN_CONFIG);
    }
    return endpoint(Json.text(config), where)
        .then(endpoint ->
            PluginConfigCodec.decode(Json.text(plugin), where)
                .then(read ->
                    ReferenceKeys.decode(secret.data(), WireNames.KMS_PLUGIN_SECRET, where)
                        .then(secrets ->
                            ReferenceKeys.decode(
                                    secret.data(), WireNames.KMS_PLUGIN_CONFIGMAP, where)
                                .then(maps ->
                                    Decoded.good(
                                        new KmsKey(endpoint, Optional.of(read), secrets, maps))))));
  }

  private static Decoded<KmsEndpoint> endpoint(String document, String where) {
    return Json.read(document)
        .map(root -> root.at("/resources/0/providers/0/kms"))
        .filter(JsonNode::isObject)
        .flatMap(KmsProviderJson::decode)
        .map(Decoded::good)
        .orElseGet(() -> Decoded.bad(where, "has an undecodable KMS encryption config"));
  }
}
