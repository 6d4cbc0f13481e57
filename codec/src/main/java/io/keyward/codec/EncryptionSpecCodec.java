package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ProviderType;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Pattern;

/// The administrator's request: `spec.encryption` of an APIServer or a ClusterEncryption, the
/// reason for a new key, and the resources to encrypt.
public final class EncryptionSpecCodec {
  private static final String SPEC = "spec.encryption";
  private static final Pattern RESOURCE = Pattern.compile("[a-z][a-z0-9-]*(\\.[a-z0-9-]+)*");
  private static final String OVERRIDES = "spec.unsupportedConfigOverrides";

  /// The mode, and the KMS configuration where the mode is KMS.
  public record Asked(Mode mode, Optional<KmsPluginConfig> kms) {}

  /// What a ClusterEncryption requests beside the mode.
  ///
  /// @param reason a new text requests a new key
  /// @param resources to encrypt; empty for the operator's defaults
  public record Extent(String reason, SortedSet<Resource> resources) {
    public Extent {
      resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    }
  }

  private EncryptionSpecCodec() {}

  /// Reads `spec.rotationReason` and `spec.resources` of a ClusterEncryption.
  public static Decoded<Extent> extent(JsonNode clusterEncryption) {
    JsonNode spec = clusterEncryption.path("spec");
    JsonNode reason = spec.path("rotationReason");
    if (!reason.isMissingNode() && !reason.isNull() && !reason.isTextual()) {
      return Decoded.bad("spec.rotationReason", "is not a text");
    }
    var resources = new TreeSet<Resource>();
    for (JsonNode one : spec.path("resources")) {
      if (!RESOURCE.matcher(one.asText("")).matches()) {
        return Decoded.bad(
            "spec.resources",
            "has an entry that is not a resource, such as secrets or widgets.example.com");
      }
      resources.add(Resource.parse(one.asText()));
    }
    return Decoded.good(new Extent(reason.asText(""), resources));
  }

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
