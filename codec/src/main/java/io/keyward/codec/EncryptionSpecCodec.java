package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import io.keyward.core.model.key.Mode;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ProviderType;
import java.util.Collections;
import java.util.Optional;
import java.util.SortedSet;
import java.util.TreeSet;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// The administrator's request: `spec.encryption` of an APIServer or a ClusterEncryption, the
/// reason for a new key, and the resources to encrypt.
public final class EncryptionSpecCodec {
  private static final String SPEC = "spec.encryption";
  private static final Pattern RESOURCE = Pattern.compile("[a-z][a-z0-9-]*(\\.[a-z0-9-]+)*");
  private static final String OVERRIDES = "spec.unsupportedConfigOverrides";
  private static final Pattern SECONDS = Pattern.compile("([0-9]{1,2})s");
  private static final int LONGEST_TIMEOUT = 60;
  private static final String TIMEOUT_LIMITS = "must be between 1s and 60s, for example 15s";

  /// The mode, and the KMS configuration where the mode is KMS.
  public record Asked(Mode mode, Optional<KmsPluginConfig> kms) {}

  /// What a ClusterEncryption requests beside the mode.
  ///
  /// @param reason a new text requests a new key
  /// @param resources to encrypt; empty for the operator's defaults
  /// @param timeout how long an API server waits for a plugin; absent for the default
  public record Extent(String reason, SortedSet<Resource> resources, Optional<String> timeout) {
    /// With the default time limit.
    public Extent(String reason, SortedSet<Resource> resources) {
      this(reason, resources, Optional.empty());
    }

    public Extent {
      resources = Collections.unmodifiableSortedSet(new TreeSet<>(resources));
    }
  }

  private EncryptionSpecCodec() {}

  /// Reads `spec.rotationReason`, `spec.resources` and `spec.kmsTimeout` of a ClusterEncryption.
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
    JsonNode timeout = spec.path("kmsTimeout");
    Optional<String> limit = seconds(timeout.asText(""));
    return limit.isPresent() || timeout.isMissingNode() || timeout.isNull()
        ? Decoded.good(new Extent(reason.asText(""), resources, limit))
        : Decoded.bad("spec.kmsTimeout", TIMEOUT_LIMITS);
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
    if (type.isEmpty() && kms.path("endpoint").isTextual()) {
      return external(kms);
    }
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

  /// The first form of a plugin that a user runs, without a type.
  private static Decoded<Asked> external(JsonNode kms) {
    ObjectNode typed = Json.object().put("type", ProviderType.EXTERNAL.word());
    typed.set(ProviderType.EXTERNAL.member(), kms);
    return PluginConfigCodec.fromSpec(Json.write(typed))
        .then(plugin -> Decoded.good(new Asked(Mode.KMS, Optional.of(plugin))));
  }

  /// Reads `encryption.kms.timeout` out of the overrides: how long an API server waits for a
  /// plugin.
  ///
  /// @param json empty where there are none
  /// @param prefix a member that the rest stands under, or empty
  public static Decoded<Optional<String>> timeout(String json, String prefix) {
    Optional<JsonNode> root = json.isBlank() ? Optional.empty() : Json.read(json);
    if (root.isEmpty()) {
      return Decoded.good(Optional.empty());
    }
    JsonNode overrides = prefix.isEmpty() ? root.orElseThrow() : root.orElseThrow().path(prefix);
    JsonNode timeout = overrides.path("encryption").path("kms").path("timeout");
    return timeout.isMissingNode() || timeout.isNull()
        ? Decoded.good(Optional.empty())
        : seconds(timeout.asText(""))
            .map(text -> Decoded.good(Optional.of(text)))
            .orElseGet(() -> Decoded.bad(OVERRIDES, "encryption.kms.timeout " + TIMEOUT_LIMITS));
  }

  /// The same as the API server writes it.
  private static Optional<String> seconds(String text) {
    Matcher matcher = SECONDS.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    int amount = Integer.parseInt(matcher.group(1));
    return amount >= 1 && amount <= LONGEST_TIMEOUT ? Optional.of(amount + "s") : Optional.empty();
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
