package io.keyward.kube.site;

import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.ConfigSecretCodec;
import io.keyward.codec.SecretObject;
import io.keyward.codec.WireNames;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.codec.object.SecretJson;
import io.keyward.core.model.key.EncryptionLayout;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.Conflict;
import io.keyward.kube.component.Component;
import java.util.Optional;

/// The secret with the published configuration. What a write made replaces what was seen, so that a
/// second write of the same turn is not taken for a stranger's.
public final class PublishedConfig {
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
                    all(),
                    SecretJson.fresh(wanted, component.api().managedNamespace(), wanted.name()))
                : api.replace(
                    all() + "/" + wanted.name(), SecretJson.over(secret.orElseThrow(), wanted)));
  }

  private String all() {
    return component.managed() + "/secrets";
  }

  /// @throws Conflict if it was modified since it was observed
  void requireUnchanged() {
    var now = api.get(all() + "/" + WireNames.configSecretName(component.name()));
    if (!now.map(ObjectMeta::version).equals(secret.map(ObjectMeta::version))) {
      throw new Conflict("the configuration");
    }
  }
}
