package io.keyward.testkit.sim;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.PluginConfigCodec;
import io.keyward.core.model.RequestedEncryption;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.model.kms.KeyReferences;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ProviderType;
import io.keyward.core.model.kms.ReferenceData;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// The KMS of the simulated world: a few remote keys with versions, and credentials that expire.
final class Kms {
  static final int REMOTE_KEYS = 3;
  static final String ENDPOINT = "endpoint";
  private static final String EXTERNAL = "External";
  private static final String SECRET_ID = "approle_secret-id";

  final int[] version = {1, 1, 1};
  final boolean[] up = {true, true, true};
  int oldestValidCredentials = 1;
  private final Map<String, RequestedEncryption.Kms> configs = new HashMap<>();

  KekId kek(int remoteKey) {
    return new KekId("key" + remoteKey + "-v" + version[remoteKey]);
  }

  /// The same wish is the same object, so that comparing is cheap.
  RequestedEncryption.Kms config(int remoteKey, int image, int credentials) {
    return configs.computeIfAbsent(
        remoteKey + "/" + image + "/" + credentials, _ -> build(remoteKey, image, credentials));
  }

  /// What the Secret holds now that the configuration of a key refers to.
  KeyReferences references(KmsKey key, int credentials) {
    String image = key.plugin().orElseThrow().spec().fields().getOrDefault("kmsPluginImage", "");
    RequestedEncryption.Kms now =
        config(
            remoteKeyOf(key),
            image.startsWith("image") ? Integer.parseInt(image.substring("image".length())) : 0,
            credentials);
    return new KeyReferences.Contents(now.secrets(), now.configMaps(), now.config());
  }

  /// A plugin that users run on every node.
  RequestedEncryption.Kms external(int remoteKey, int timeout) {
    return configs.computeIfAbsent(
        "external/" + remoteKey + "/" + timeout,
        _ -> {
          var fields = new TreeMap<String, String>();
          fields.put(ENDPOINT, endpoint(remoteKey));
          fields.put("timeout", timeout + "s");
          return new RequestedEncryption.Kms(
              plugin(EXTERNAL, fields),
              ReferenceData.NONE,
              ReferenceData.NONE,
              new Fingerprint("e" + remoteKey + pad(timeout) + "000"));
        });
  }

  static String endpoint(int remoteKey) {
    return "unix:///run/plugins/key" + remoteKey;
  }

  static boolean isExternal(KmsKey key) {
    return key.plugin().filter(plugin -> plugin.spec().type().equals(EXTERNAL)).isPresent();
  }

  private static RequestedEncryption.Kms build(int remoteKey, int image, int credentials) {
    var fields = new TreeMap<String, String>();
    fields.put("vaultAddress", "https://vault.example.com:8200");
    fields.put("vaultKeyPath", "transit/keys/key" + remoteKey);
    fields.put("kmsPluginImage", "image" + image);
    fields.put("authentication.appRole.secret.name", "approle");
    var secrets = new TreeMap<String, DataValue>();
    secrets.put(
        SECRET_ID, DataValue.copyOf(("s3cr3t-" + credentials).getBytes(StandardCharsets.UTF_8)));
    String print = "f" + remoteKey + pad(image) + pad(credentials);
    return new RequestedEncryption.Kms(
        plugin("Vault", fields),
        new ReferenceData(secrets),
        ReferenceData.NONE,
        new Fingerprint(print));
  }

  /// As the API gives it.
  ///
  /// @param fields by their paths, with dots
  static KmsPluginConfig plugin(String type, Map<String, String> fields) {
    ObjectNode kms = JsonNodeFactory.instance.objectNode().put("type", type);
    ObjectNode member = kms.putObject(ProviderType.parse(type).orElseThrow().member());
    fields.forEach((path, value) -> {
      int last = path.lastIndexOf('.');
      ObjectNode parent =
          last < 0 ? member : member.withObject("/" + path.substring(0, last).replace('.', '/'));
      parent.put(path.substring(last + 1), value);
    });
    return PluginConfigCodec.fromSpec(kms.toString())
        .orElseThrow(problem -> new IllegalStateException(problem.what()));
  }

  private static String pad(int number) {
    String text = Integer.toString(number);
    return "000".substring(Math.min(3, text.length())) + text;
  }

  /// Which remote key a plugin that is started with this would use.
  static int remoteKeyOf(KmsKey key) {
    String path =
        key.plugin()
            .orElseThrow()
            .spec()
            .fields()
            .getOrDefault(isExternal(key) ? ENDPOINT : "vaultKeyPath", "0");
    return path.charAt(path.length() - 1) - '0';
  }

  private static int credentialsOf(KmsKey key) {
    DataValue secret = key.secrets().entries().get(SECRET_ID);
    return secret == null
        ? 0
        : Integer.parseInt(
            new String(secret.reveal(), StandardCharsets.UTF_8).substring("s3cr3t-".length()));
  }

  /// Whether a plugin that is started with this on the node of an instance can do its work.
  boolean works(KmsKey key, Instance instance) {
    return key.plugin().isPresent()
        && up[remoteKeyOf(key)]
        && (isExternal(key) ? !instance.pluginsDown : credentialsOf(key) >= oldestValidCredentials);
  }
}
