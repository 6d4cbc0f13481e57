package io.keyward.testkit.sim;

import io.keyward.core.model.Bytes;
import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.KekId;
import io.keyward.core.model.KmsKey;
import io.keyward.core.model.PluginConfig;
import io.keyward.core.model.ProviderSpec;
import io.keyward.core.model.ReferenceData;
import io.keyward.core.model.Wanted;
import java.nio.charset.StandardCharsets;
import java.util.HashMap;
import java.util.Map;
import java.util.TreeMap;

/// The KMS of the simulated world: a few remote keys with versions, and credentials that expire.
final class Kms {
  static final int REMOTE_KEYS = 3;
  private static final String SECRET_ID = "approle_secret-id";

  final int[] version = {1, 1, 1};
  final boolean[] up = {true, true, true};
  int oldestValidCredentials = 1;
  private final Map<String, Wanted.Kms> configs = new HashMap<>();

  KekId kek(int remoteKey) {
    return new KekId("key" + remoteKey + "-v" + version[remoteKey]);
  }

  /// The same wish is the same object, so that comparing is cheap.
  Wanted.Kms config(int remoteKey, int image, int credentials) {
    return configs.computeIfAbsent(
        remoteKey + "/" + image + "/" + credentials, _ -> build(remoteKey, image, credentials));
  }

  private static Wanted.Kms build(int remoteKey, int image, int credentials) {
    var fields = new TreeMap<String, String>();
    fields.put("vaultAddress", "https://vault.example.com:8200");
    fields.put("vaultKeyPath", "transit/keys/key" + remoteKey);
    fields.put("kmsPluginImage", "image" + image);
    fields.put("authentication.appRole.secret.name", "approle");
    var secrets = new TreeMap<String, Bytes>();
    secrets.put(
        SECRET_ID, Bytes.copyOf(("s3cr3t-" + credentials).getBytes(StandardCharsets.UTF_8)));
    String print = "f" + remoteKey + pad(image) + pad(credentials);
    return new Wanted.Kms(
        new PluginConfig("config " + remoteKey + " " + image, new ProviderSpec("Vault", fields)),
        new ReferenceData(secrets),
        ReferenceData.NONE,
        new Fingerprint(print));
  }

  private static String pad(int number) {
    String text = Integer.toString(number);
    return "000".substring(Math.min(3, text.length())) + text;
  }

  /// Which remote key a plugin that is started with this would use.
  static int remoteKeyOf(KmsKey key) {
    String path = key.plugin().orElseThrow().spec().fields().getOrDefault("vaultKeyPath", "0");
    return path.charAt(path.length() - 1) - '0';
  }

  private static int credentialsOf(KmsKey key) {
    Bytes secret = key.secrets().entries().get(SECRET_ID);
    return secret == null
        ? 0
        : Integer.parseInt(
            new String(secret.reveal(), StandardCharsets.UTF_8).substring("s3cr3t-".length()));
  }

  boolean works(KmsKey key) {
    return key.plugin().isPresent()
        && up[remoteKeyOf(key)]
        && credentialsOf(key) >= oldestValidCredentials;
  }
}
