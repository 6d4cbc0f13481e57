package io.keyward.it;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.testbed.ApiServer;
import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.Objects;
import org.awaitility.Awaitility;

/// One object of each of many kinds, in an order in which a server takes them.
record Kinds(List<Kind> all) {
  private static final ObjectMapper JSON = new ObjectMapper();

  /// `path` is where it is created; `afterwards` is what must be served afterwards.
  record Kind(String path, String afterwards, JsonNode object) {
    /// As in file names of recovered objects: the end of the etcd key.
    String name() {
      return object.at("/metadata/name").asText();
    }

    String id() {
      return Kinds.id(object);
    }

    JsonNode read(ApiServer api) {
      return parse(api.get(path + "/" + name()).body());
    }

    void waitUntilServed(ApiServer api) {
      if (!afterwards.isEmpty()) {
        Awaitility.await().atMost(Duration.ofSeconds(30)).until(() -> api.get(afterwards).isOk());
      }
    }
  }

  static String id(JsonNode object) {
    return object.path("apiVersion").asText()
        + " "
        + object.path("kind").asText()
        + " "
        + object.at("/metadata/namespace").asText()
        + " "
        + object.at("/metadata/name").asText();
  }

  static Kinds read() throws IOException {
    try (var in = Objects.requireNonNull(Kinds.class.getResourceAsStream("kinds.jsonl"))) {
      return new Kinds(
          new String(in.readAllBytes(), UTF_8)
              .lines()
              .map(Kinds::parse)
              .map(line ->
                  new Kind(line.get("path").asText(), line.path("wait").asText(), named(line)))
              .toList());
    }
  }

  private static JsonNode named(JsonNode line) {
    var object = (ObjectNode) line.get("object");
    if (line.get("path").asText().contains("/namespaces/")) {
      ((ObjectNode) object.get("metadata")).put("namespace", "shop");
    }
    return object;
  }

  static JsonNode parse(String json) {
    try {
      return JSON.readTree(json);
    } catch (IOException e) {
      throw new AssertionError("not JSON: " + json, e);
    }
  }
}
