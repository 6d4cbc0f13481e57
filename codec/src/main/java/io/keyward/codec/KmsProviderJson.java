package io.keyward.codec;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.KmsEndpoint;

/// The `kms` member of a provider, with the defaults the API server fills in.
final class KmsProviderJson {
  private KmsProviderJson() {}

  static ObjectNode encode(KmsEndpoint endpoint, String name) {
    ObjectNode kms = Json.object();
    kms.put("apiVersion", endpoint.apiVersion()).put("name", name);
    return kms.put("endpoint", endpoint.endpoint()).put("timeout", endpoint.timeout());
  }

  static KmsEndpoint decode(JsonNode kms) {
    return new KmsEndpoint(
        kms.path("apiVersion").asText("v1"),
        kms.path("endpoint").asText(""),
        kms.path("timeout").asText("3s"));
  }
}
