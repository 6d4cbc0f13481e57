package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.Fingerprints;
import io.keyward.codec.PluginConfigCodec;
import io.keyward.core.model.Bytes;
import io.keyward.core.model.Mode;
import io.keyward.core.model.PluginConfig;
import io.keyward.core.model.ProviderType;
import io.keyward.core.model.ReferenceData;
import io.keyward.core.model.Wanted;
import java.util.Optional;

/// What the admin asks for, from `APIServer` and the operator's resource.
final class WantedReader {
  private WantedReader() {}

  static Wanted read(
      Optional<ObjectNode> apiServer,
      JsonNode operator,
      Component component,
      FeatureGates gates,
      Bytes salt) {
    JsonNode encryption =
        apiServer.map(found -> found.at("/spec/encryption")).orElseGet(Api.JSON::createObjectNode);
    String word = encryption.path("type").asText("");
    Optional<Mode> mode = word.isEmpty() ? Optional.of(Mode.IDENTITY) : Mode.parse(word);
    JsonNode overrides = operator.at("/spec/unsupportedConfigOverrides");
    JsonNode own =
        component.statusMember().isEmpty() ? overrides : overrides.path(component.statusMember());
    String reason = own.at("/encryption/reason").asText("");
    if (mode.isEmpty()) {
      return problem(component, reason, "unknown encryption mode configured: " + word);
    }
    if (mode.orElseThrow() != Mode.KMS) {
      return new Wanted(
          mode.orElseThrow(), Optional.empty(), reason, Optional.empty(), component.resources());
    }
    if (!gates.kmsEncryptionProvider()) {
      return problem(
          component,
          reason,
          "the feature gate "
              + FeatureGates.KMS_ENCRYPTION_PROVIDER
              + " is off, so the mode KMS cannot be used; turn it on in the operator's"
              + " configuration, or ask for another mode");
    }
    return switch (PluginConfigCodec.fromSpec(encryption.path("kms").toString())) {
      case Decoded.Bad<PluginConfig>(var what) ->
          problem(component, reason, what.where() + " " + what.what());
      case Decoded.Good<PluginConfig>(var plugin) -> kms(component, reason, plugin, salt);
    };
  }

  private static Wanted kms(Component component, String reason, PluginConfig plugin, Bytes salt) {
    if (!plugin.spec().type().equals(ProviderType.EXTERNAL.word())) {
      return problem(
          component,
          reason,
          "KMS type "
              + plugin.spec().type()
              + " needs a plugin that Keyward starts, which this release cannot do; run the"
              + " plugin yourself on every control-plane node and use type External");
    }
    var config = Fingerprints.of(plugin, ReferenceData.NONE, ReferenceData.NONE, salt);
    return new Wanted(
        Mode.KMS,
        Optional.of(new Wanted.Kms(plugin, ReferenceData.NONE, ReferenceData.NONE, config)),
        reason,
        Optional.empty(),
        component.resources());
  }

  private static Wanted problem(Component component, String reason, String what) {
    return new Wanted(Mode.KMS, Optional.empty(), reason, Optional.of(what), component.resources());
  }
}
