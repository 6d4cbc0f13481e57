package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.kms.KmsPluginConfig;
import io.keyward.core.model.kms.ProviderSpec;
import io.keyward.core.model.kms.ProviderType;
import java.util.Map;
import java.util.Optional;
import java.util.SortedMap;
import java.util.TreeMap;

/// The `APIServer` envelope around a KMS configuration.
public final class PluginConfigCodec {
  private PluginConfigCodec() {}

  /// From `spec.encryption.kms` as the API gives it. Members keep the order they come in.
  public static Decoded<KmsPluginConfig> fromSpec(String kmsJson) {
    return Json.read(kmsJson)
        .map(kms -> decode(envelope(kms), kms))
        .orElseGet(() -> Decoded.bad("spec.encryption.kms", "is not JSON"));
  }

  /// From a key secret or a configuration secret. The text is kept as it is.
  static Decoded<KmsPluginConfig> decode(String document, String where) {
    return Json.read(document)
        .map(tree -> tree.at("/spec/encryption/kms"))
        .filter(JsonNode::isObject)
        .map(kms -> decode(document, kms))
        .orElseGet(() -> Decoded.bad(where, "is not an APIServer with spec.encryption.kms"));
  }

  private static Decoded<KmsPluginConfig> decode(String document, JsonNode kms) {
    String type = kms.path("type").asText("");
    var fields = new TreeMap<String, String>();
    Optional<ProviderType> known = ProviderType.parse(type);
    if (known.isPresent()) {
      flatten("", kms.path(known.orElseThrow().member()), fields);
    } else {
      flatten("", kms, fields);
    }
    return Decoded.good(new KmsPluginConfig(document, new ProviderSpec(type, fields)));
  }

  private static void flatten(String path, JsonNode node, SortedMap<String, String> fields) {
    if (node.isObject()) {
      for (Map.Entry<String, JsonNode> member : node.properties()) {
        flatten(
            path.isEmpty() ? member.getKey() : path + "." + member.getKey(),
            member.getValue(),
            fields);
      }
    } else if (node.isArray()) {
      fields.put(path, Json.write(node));
    } else if (!node.isMissingNode() && !node.isNull()) {
      fields.put(path, node.asText());
    }
  }

  private static String envelope(JsonNode kms) {
    ObjectNode root = Json.object();
    root.put("kind", "APIServer").put("apiVersion", "config.openshift.io/v1");
    root.putObject("metadata");
    ObjectNode spec = root.putObject("spec");
    spec.putObject("servingCerts");
    spec.putObject("clientCA").put("name", "");
    spec.putObject("encryption").set("kms", kms);
    spec.putObject("audit");
    root.putObject("status");
    return Json.write(root) + "\n";
  }
}
