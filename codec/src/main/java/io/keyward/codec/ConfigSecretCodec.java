package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ReferenceData;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// A layout to and from an `encryption-config` secret, with what the plugins are started with.
public final class ConfigSecretCodec {
  private ConfigSecretCodec() {}

  public static SecretObject encode(String component, EncryptionLayout layout) {
    var data = new TreeMap<String, DataValue>();
    data.put(WireNames.CONFIG_DATA, Json.bytes(LayoutJson.encode(layout)));
    for (Key key : layout.keys()) {
      key.kms().ifPresent(kms -> plugin(key.serial(), kms, data));
    }
    return new SecretObject(
        WireNames.MANAGED_NAMESPACE,
        WireNames.configSecretName(component),
        new TreeMap<>(),
        new TreeMap<>(Map.of(WireNames.DESCRIPTION, WireNames.WARNING)),
        List.of(WireNames.FINALIZER),
        data);
  }

  private static void plugin(KeySerial serial, KmsKey kms, SortedMap<String, DataValue> data) {
    kms.plugin()
        .ifPresent(
            config -> data.put(WireNames.CONFIG_PLUGIN + serial, Json.bytes(config.document())));
    kms.secrets()
        .entries()
        .forEach((name, value) -> data.put(WireNames.CONFIG_SECRET + name + "-" + serial, value));
    kms.configMaps()
        .entries()
        .forEach(
            (name, value) -> data.put(WireNames.CONFIG_CONFIGMAP + name + "-" + serial, value));
  }

  /// Absent where the secret holds no configuration.
  public static Decoded<Optional<EncryptionLayout>> decode(SecretObject secret) {
    DataValue config = secret.data().get(WireNames.CONFIG_DATA);
    String where = "secret " + secret.name();
    if (config == null) {
      return Decoded.good(Optional.empty());
    }
    var root = Json.read(Json.text(config));
    if (root.isEmpty()) {
      return Decoded.bad(where, "has an undecodable " + WireNames.CONFIG_DATA);
    }
    return Plugins.decode(secret.data(), where)
        .then(plugins ->
            new LayoutParser(where, plugins::kms)
                .parse(root.orElseThrow())
                .then(layout -> Decoded.good(Optional.of(layout))));
  }

  /// The `kms-plugin-*` entries, by the serial they end with.
  private record Plugins(
      Map<KeySerial, KmsPluginConfig> configs,
      Map<KeySerial, ReferenceData> secrets,
      Map<KeySerial, ReferenceData> configMaps) {

    Optional<KmsKey> kms(KeySerial serial, JsonNode provider) {
      return KmsProviderJson.decode(provider)
          .map(endpoint ->
              new KmsKey(
                  endpoint,
                  Optional.ofNullable(configs.get(serial)),
                  secrets.getOrDefault(serial, ReferenceData.NONE),
                  configMaps.getOrDefault(serial, ReferenceData.NONE)));
    }

    static Decoded<Plugins> decode(Map<String, DataValue> data, String where) {
      return configs(data, where)
          .then(configs ->
              references(data, WireNames.CONFIG_SECRET, where)
                  .then(secrets ->
                      references(data, WireNames.CONFIG_CONFIGMAP, where)
                          .then(maps -> Decoded.good(new Plugins(configs, secrets, maps)))));
    }

    private static Decoded<Map<KeySerial, KmsPluginConfig>> configs(
        Map<String, DataValue> data, String where) {
      var configs = new TreeMap<KeySerial, KmsPluginConfig>();
      for (Map.Entry<String, DataValue> entry : data.entrySet()) {
        String suffix =
            entry.getKey().startsWith(WireNames.CONFIG_PLUGIN)
                ? entry.getKey().substring(WireNames.CONFIG_PLUGIN.length())
                : "";
        if (!suffix.isEmpty()) {
          Optional<KeySerial> serial = Digits.parse(suffix).map(KeySerial::new);
          if (serial.isEmpty() || configs.containsKey(serial.get())) {
            return Decoded.bad(where, "has malformed data key " + entry.getKey());
          }
          switch (PluginConfigCodec.decode(Json.text(entry.getValue()), where)) {
            case Decoded.Good<KmsPluginConfig>(var config) -> configs.put(serial.get(), config);
            case Decoded.Bad<KmsPluginConfig>(var problem) -> {
              return new Decoded.Bad<>(problem);
            }
          }
        }
      }
      return Decoded.good(configs);
    }

    private static Decoded<Map<KeySerial, ReferenceData>> references(
        Map<String, DataValue> data, String prefix, String where) {
      var bySerial = new TreeMap<KeySerial, TreeMap<String, DataValue>>();
      for (Map.Entry<String, DataValue> entry : data.entrySet()) {
        int dash = entry.getKey().lastIndexOf('-');
        if (entry.getKey().startsWith(prefix) && dash > prefix.length()) {
          String flat = entry.getKey().substring(prefix.length(), dash);
          Optional<KeySerial> serial =
              Digits.parse(entry.getKey().substring(dash + 1)).map(KeySerial::new);
          if (serial.isEmpty()
              || !ReferenceKeys.isWellFormed(flat)
              || entry.getValue().size() == 0
              || bySerial
                      .computeIfAbsent(serial.get(), _ -> new TreeMap<>())
                      .put(flat, entry.getValue())
                  != null) {
            return Decoded.bad(where, "has malformed data key " + entry.getKey());
          }
        }
      }
      var read = new TreeMap<KeySerial, ReferenceData>();
      bySerial.forEach((serial, entries) -> read.put(serial, new ReferenceData(entries)));
      return Decoded.good(read);
    }
  }
}
