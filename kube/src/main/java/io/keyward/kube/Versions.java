package io.keyward.kube;

import com.fasterxml.jackson.databind.JsonNode;

/// Versions of objects, which make a write conditional.
final class Versions {
  private Versions() {}

  static String of(JsonNode object) {
    return object.at("/metadata/resourceVersion").asText();
  }
}
