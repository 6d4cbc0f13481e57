package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.PluginConfig;
import io.keyward.core.model.kms.ProviderType;
import java.util.Optional;

/// What the admin wrote: `APIServer.spec.encryption`, and the reason in the operator's overrides.
public final class EncryptionSpecCodec {
  private static final String SPEC = "spec.encryption";
  private static final String OVERRIDES = "spec.unsupportedConfigOverrides";

  /// The mode, and the KMS configuration where the mode is KMS.
  public record Asked(Mode mode, Optional<PluginConfig> kms) {}

  private EncryptionSpecCodec() {}

  /// Reads `spec.encryption`; nothing at all means identity.
  public static Decoded<Asked> decode(String json) {
    if (json.isBlank()) {
      return Decoded.good(new Asked(Mode.IDENTITY, Optional.empty()));
    }
    Optional<JsonNode> root = Json.read(json);
    if (root.isEmpty()) {
      return Decoded.bad(SPEC, "is not an object");
    }
    JsonNode spec = root.orElseThrow();
    String word = spec.path("type").asText("");
    Optional<Mode> mode = word.isEmpty() ? Optional.of(Mode.IDENTITY) : Mode.parse(word);
    if (mode.isEmpty()) {
      return Decoded.bad(SPEC, "unknown encryption mode configured: " + word);
    }
    if ((mode.orElseThrow() == Mode.KMS) != spec.path("kms").isObject()) {
      return Decoded.bad(
          SPEC, "kms config is required when encryption type is KMS, and forbidden otherwise");
    }
    return mode.orElseThrow() == Mode.KMS
        ? kms(spec.path("kms"))
        : Decoded.good(new Asked(mode.orElseThrow(), Optional.empty()));
  }

  private static Decoded<Asked> kms(JsonNode kms) {
    String type = kms.path("type").asText("");
    Optional<ProviderType> provider = ProviderType.parse(type);
    if (provider.isEmpty()) {
      return Decoded.bad(SPEC + ".kms", "unsupported KMS provider type \"" + type + "\"");
    }
    String member = provider.orElseThrow().member();
    if (!kms.path(member).isObject()) {
      return Decoded.bad(
          SPEC + ".kms", member + " config is required when kms provider type is " + type);
    }
    return PluginConfigCodec.fromSpec(Json.write(kms))
        .then(plugin -> Decoded.good(new Asked(Mode.KMS, Optional.of(plugin))));
  }

  /// Reads `encryption.reason` out of the overrides.
  ///
  /// @param json empty where there are none
  /// @param prefix a member that the rest stands under, or empty
  public static Decoded<String> reason(String json, String prefix) {
    if (json.isBlank()) {
      return Decoded.good("");
    }
    Optional<JsonNode> root = Json.read(json);
    if (root.isEmpty()) {
      return Decoded.bad(OVERRIDES, "is not an object");
    }
    JsonNode overrides = prefix.isEmpty() ? root.orElseThrow() : root.orElseThrow().path(prefix);
    JsonNode reason = overrides.path("encryption").path("reason");
    return reason.isMissingNode() || reason.isNull() || reason.isTextual()
        ? Decoded.good(reason.asText(""))
        : Decoded.bad(OVERRIDES, "encryption.reason is not a text");
  }
}
