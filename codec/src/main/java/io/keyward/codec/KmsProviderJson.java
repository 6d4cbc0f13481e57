package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.kms.KmsEndpoint;
import java.util.Optional;

/// The `kms` member of a provider, with the defaults the API server fills in.
final class KmsProviderJson {
  private KmsProviderJson() {}

  static ObjectNode encode(KmsEndpoint endpoint, String name) {
    ObjectNode kms = Json.object();
    kms.put("apiVersion", endpoint.apiVersion()).put("name", name);
    return kms.put("endpoint", endpoint.endpoint()).put("timeout", endpoint.timeout());
  }

  /// Absent where no socket is named: no API server would start with that.
  static Optional<KmsEndpoint> decode(JsonNode kms) {
    String endpoint = kms.path("endpoint").asText("");
    return endpoint.isEmpty()
        ? Optional.empty()
        : Optional.of(
            new KmsEndpoint(
                kms.path("apiVersion").asText("v1"), endpoint, kms.path("timeout").asText("3s")));
  }
}
