package io.keyward.core.model.kms;

import java.util.Optional;

/// What belongs to a KMS key beside its serial: the socket, and what its plugin is started with.
///
/// The plugin configuration is absent where only an EncryptionConfiguration was left to read.
public record KmsKey(
    KmsEndpoint endpoint,
    Optional<KmsPluginConfig> plugin,
    ReferenceData secrets,
    ReferenceData configMaps) {

  public Optional<RemoteKey> remoteKey() {
    return plugin.map(config -> config.spec().remoteKey());
  }

  public KmsKey withCredentialsOf(KmsKey fresh) {
    return new KmsKey(
        endpoint,
        plugin,
        secrets.refreshedFrom(fresh.secrets),
        configMaps.refreshedFrom(fresh.configMaps));
  }

  /// The same configuration on another key's socket.
  public KmsKey at(KmsEndpoint other) {
    return new KmsKey(other, plugin, secrets, configMaps);
  }
}
