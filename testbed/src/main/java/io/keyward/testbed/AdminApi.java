package io.keyward.testbed;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;

/// The API as the admin.
record AdminApi(ApiClient client) {
  private static final int CONFLICT = 409;

  /// One that exists already will do.
  void create(String path, JsonNode body) {
    Answer answer = client.post(path, body.toString());
    if (answer.status() != CONFLICT) {
      good(path, answer);
    }
  }

  /// For an account beside the first API server. For a day, so that a long run does not end with
  /// it.
  KubeconfigFile.Token token(String account) {
    String path = "/api/v1/namespaces/kube-system/serviceaccounts/" + account + "/token";
    ObjectNode ask = new ObjectMapper().createObjectNode();
    ask.put("apiVersion", "authentication.k8s.io/v1").put("kind", "TokenRequest");
    ask.putObject("spec").put("expirationSeconds", 86_400);
    try {
      return new KubeconfigFile.Token(
          new ObjectMapper()
              .readTree(good(path, client.post(path, ask.toString())).body())
              .at("/status/token")
              .asText());
    } catch (IOException e) {
      throw new TestbedException("the API server sent no JSON", "", e);
    }
  }

  static ObjectNode object(String apiVersion, String kind, String name) {
    ObjectNode json = new ObjectMapper().createObjectNode();
    json.put("apiVersion", apiVersion).put("kind", kind).putObject("metadata").put("name", name);
    return json;
  }

  private static Answer good(String path, Answer answer) {
    if (!answer.isOk()) {
      throw new TestbedException("the API server refused " + path, answer.body());
    }
    return answer;
  }
}
