package io.keyward.kube;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.ConfigSecretCodec;
import io.keyward.codec.SecretObject;
import io.keyward.codec.Wire;
import io.keyward.core.model.EncryptionLayout;
import io.keyward.operator.Conflict;
import java.util.Optional;

/// The secret with the published configuration. What a write made replaces what was seen, so that a
/// second write of the same turn is not taken for a stranger's.
final class PublishedConfig {
  private final Api api;
  private final Component component;
  private Optional<ObjectNode> secret;

  PublishedConfig(Api api, Component component, Optional<ObjectNode> secret) {
    this.api = api;
    this.component = component;
    this.secret = secret;
  }

  /// As it was seen, or as it was written since.
  Optional<ObjectNode> secret() {
    return secret;
  }

  void publish(EncryptionLayout layout) {
    SecretObject wanted = ConfigSecretCodec.encode(component.name(), layout);
    secret
        .flatMap(found -> ForeignSecret.configuration(SecretJson.read(found)))
        .ifPresent(words -> {
          throw new ClusterFailure(words);
        });
    secret =
        Optional.of(
            secret.isEmpty()
                ? api.create(
                    KeySecrets.ALL, SecretJson.fresh(wanted, wanted.namespace(), wanted.name()))
                : api.replace(
                    KeySecrets.ALL + "/" + wanted.name(),
                    SecretJson.over(secret.orElseThrow(), wanted)));
  }

  /// @throws Conflict if it was modified since it was observed
  void requireUnchanged() {
    var now = api.get(KeySecrets.ALL + "/" + Wire.configSecretName(component.name()));
    if (!now.map(Versions::of).equals(secret.map(Versions::of))) {
      throw new Conflict("the configuration");
    }
  }
}
