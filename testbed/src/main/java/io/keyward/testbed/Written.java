package io.keyward.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;

/// A kind of object that carries a number, of one API server each.
enum Written {
  SECRETS("v1", "Secret", "/api/v1/namespaces/default/secrets"),
  FLUNDERS(
      "wardle.example.com/v1alpha1",
      "Flunder",
      "/apis/wardle.example.com/v1alpha1/namespaces/default/flunders");

  private final String apiVersion;
  private final String kind;
  private final String path;

  Written(String apiVersion, String kind, String path) {
    this.apiVersion = apiVersion;
    this.kind = kind;
    this.path = path;
  }

  String path() {
    return path;
  }

  String json(String name, long number) {
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("apiVersion", apiVersion).put("kind", kind).putObject("metadata").put("name", name);
    String text = Long.toString(number);
    switch (this) {
      case SECRETS -> json.putObject("data").put("n", text.getBytes(StandardCharsets.US_ASCII));
      case FLUNDERS -> json.putObject("spec").put("reference", text);
    }
    return json.toString();
  }

  long number(String body) {
    try {
      JsonNode json = new ObjectMapper().readTree(body);
      return switch (this) {
        case SECRETS ->
            Long.parseLong(new String(json.at("/data/n").binaryValue(), StandardCharsets.US_ASCII));
        case FLUNDERS -> Long.parseLong(json.at("/spec/reference").asText());
      };
    } catch (IOException e) {
      throw new TestbedException("the API server sent no object of that kind", "", e);
    }
  }
}
