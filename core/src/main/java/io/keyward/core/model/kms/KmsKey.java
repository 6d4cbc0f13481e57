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

  /// The same key with other contents of the objects that its configuration refers to.
  public KmsKey with(KeyReferences.Contents contents) {
    return new KmsKey(endpoint, plugin, contents.secrets(), contents.configMaps());
  }

  /// Whether Keyward runs its plugin. A user runs the plugin of a key of type External, and where
  /// the configuration is lost, nobody knows how to run one.
  public boolean isManaged() {
    return plugin
        .filter(config -> !config.spec().type().equals(ProviderType.EXTERNAL.word()))
        .isPresent();
  }

  /// The same configuration on another key's socket.
  public KmsKey at(KmsEndpoint other) {
    return new KmsKey(other, plugin, secrets, configMaps);
  }
}
