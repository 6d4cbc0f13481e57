package io.keyward.core.sidecar;

import io.keyward.core.model.Problem;
import io.keyward.core.model.key.DataValue;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.KmsKey;
import io.keyward.core.model.kms.KmsPluginConfig;
import java.nio.charset.StandardCharsets;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// The arguments of the Vault plugin that OpenShift runs. The role id is an argument because that
/// plugin takes it in no other way; the secret id is a file.
final class VaultArguments {
  private final KeySerial serial;
  private final KmsKey key;
  private final Map<String, String> fields;

  VaultArguments(KeySerial serial, KmsKey key) {
    this.serial = serial;
    this.key = key;
    this.fields = key.plugin().map(KmsPluginConfig::spec).orElseThrow().fields();
  }

  /// What keeps the plugin from being started.
  Optional<Problem> problem() {
    String secret = field("authentication.appRole.secret.name");
    if (secret.isEmpty()) {
      return Optional.of(of("vault AppRole authentication secret name cannot be empty"));
    }
    return content(secret + "_role-id").isEmpty()
        ? Optional.of(of("secret " + secret + " has no role-id"))
        : Optional.empty();
  }

  private Problem of(String what) {
    return new Problem("key " + serial, what);
  }

  List<String> list() {
    String secret = field("authentication.appRole.secret.name");
    var all = new ArrayList<String>();
    all.add("-listen-address=" + key.endpoint().endpoint());
    all.add("-vault-address=" + field("vaultAddress"));
    all.add("-vault-key-path=" + field("vaultKeyPath"));
    all.add("-approle-role-id=" + content(secret + "_role-id"));
    all.add("-approle-secret-id-path=" + PluginFiles.ofSecret(secret, "secret-id", serial));
    String bundle = field("tls.caBundle.name");
    if (!bundle.isEmpty()) {
      all.add("-tls-ca-file=" + PluginFiles.ofConfigMap(bundle, "ca-bundle.crt", serial));
    }
    optional(all, "-tls-sni=", "tls.serverName");
    optional(all, "-vault-namespace=", "vaultNamespace");
    optional(all, "-vault-auth-namespace=", "vaultAuthNamespace");
    // Several of them share the network of a node, so none of them may claim the usual port.
    all.add("-metrics-port=0");
    return List.copyOf(all);
  }

  private void optional(List<String> all, String argument, String field) {
    if (!field(field).isEmpty()) {
      all.add(argument + field(field));
    }
  }

  private String field(String path) {
    return fields.getOrDefault(path, "");
  }

  private String content(String name) {
    DataValue value = key.secrets().entries().get(name);
    return value == null ? "" : new String(value.reveal(), StandardCharsets.UTF_8).strip();
  }
}
