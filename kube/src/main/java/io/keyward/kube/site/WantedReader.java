package io.keyward.kube.site;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.Decoded;
import io.keyward.codec.EncryptionSpecCodec;
import io.keyward.codec.EncryptionSpecCodec.Asked;
import io.keyward.codec.Fingerprints;
import io.keyward.core.model.Wanted;
import io.keyward.core.model.key.Bytes;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.PluginConfig;
import io.keyward.core.model.kms.ProviderType;
import io.keyward.core.model.kms.ReferenceData;
import io.keyward.kube.component.Component;
import io.keyward.kube.component.FeatureGates;
import java.util.Optional;

/// What the admin asks for, from `APIServer` and the operator's resource.
public final class WantedReader {
  private WantedReader() {}

  static Wanted read(
      Optional<ObjectNode> apiServer,
      JsonNode operator,
      Component component,
      FeatureGates gates,
      Bytes salt) {
    String reason = "";
    switch (EncryptionSpecCodec.reason(
        text(operator, "/spec/unsupportedConfigOverrides"), component.statusMember())) {
      case Decoded.Bad<String>(var what) -> {
        return problem(component, reason, what.where() + " " + what.what());
      }
      case Decoded.Good<String>(var text) -> reason = text;
    }
    // Whoever deletes the object does not ask for plaintext.
    if (apiServer.isEmpty()) {
      return problem(
          component,
          reason,
          "APIServer cluster is missing, so no encryption is requested and nothing changes; run"
              + " keyward operator install, or create it with the type that is in use");
    }
    String spec = text(apiServer.orElseThrow(), "/spec/encryption");
    return switch (EncryptionSpecCodec.decode(spec)) {
      case Decoded.Bad<Asked>(var what) ->
          problem(component, reason, what.where() + " " + what.what());
      case Decoded.Good<Asked>(Asked(var mode, var plugin)) ->
          mode == Mode.KMS
              ? kms(component, reason, plugin.orElseThrow(), gates, salt)
              : new Wanted(mode, Optional.empty(), reason, Optional.empty(), component.resources());
    };
  }

  private static String text(JsonNode object, String pointer) {
    JsonNode found = object.at(pointer);
    return found.isMissingNode() || found.isNull() ? "" : found.toString();
  }

  private static Wanted kms(
      Component component, String reason, PluginConfig plugin, FeatureGates gates, Bytes salt) {
    if (!gates.kmsEncryptionProvider()) {
      return problem(
          component,
          reason,
          "the feature gate "
              + FeatureGates.KMS_ENCRYPTION_PROVIDER
              + " is off, so the mode KMS cannot be used; turn it on in the operator's"
              + " configuration, or ask for another mode");
    }
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
