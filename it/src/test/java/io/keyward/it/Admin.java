package io.keyward.it;

import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.NodePlugin;
import java.time.Duration;
import org.awaitility.Awaitility;

/// What an admin of a cluster does and sees. Tries again where an API server just restarts.
final class Admin implements AutoCloseable {
  static final String MANAGED = "/api/v1/namespaces/openshift-config-managed";
  static final String SYSTEM = "/api/v1/namespaces/kube-system";
  static final String KUBE = "kubeapiservers";

  private static final String SPEC = "/apis/config.openshift.io/v1/apiservers/cluster";
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ApiClient client;

  Admin(ManagedCluster cluster) {
    this(cluster.client(0));
  }

  /// @param client is closed with this
  Admin(ApiClient client) {
    this.client = client;
  }

  ApiClient client() {
    return client;
  }

  private interface Request {
    Answer send();
  }

  /// The first answer of an API server that is up. A conflict is retried as an admin would.
  private static Answer send(Request request) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(request::send, answer -> answer.status() < 429 && answer.status() != 409);
  }

  private static void accepted(Request request) {
    Answer answer = send(request);
    assertThat(answer.isOk()).as(answer.status() + " " + answer.body()).isTrue();
  }

  /// Whatever the answer is.
  Answer ask(String encryption) {
    String body = "{\"spec\":{\"encryption\":%s}}".formatted(encryption);
    return send(() -> client.mergePatch(SPEC, body));
  }

  void want(String encryption) {
    accepted(() -> ask(encryption));
  }

  void patch(String path, String body) {
    accepted(() -> client.mergePatch(path, body));
  }

  /// A try that was answered too late may have created it.
  void post(String path, String body) {
    Answer answer =
        Awaitility.await()
            .atMost(PATIENCE)
            .ignoreExceptions()
            .until(() -> client.post(path, body), one -> one.status() < 429);
    assertThat(answer.isOk() || answer.status() == 409)
        .as(answer.status() + " " + answer.body())
        .isTrue();
  }

  void delete(String path) {
    accepted(() -> client.delete(path));
  }

  /// With the plugin's own endpoint.
  void want(NodePlugin plugin) {
    wantKms(plugin.endpoint());
  }

  void wantKms(String endpoint) {
    want(
        "{\"type\":\"KMS\",\"kms\":{\"type\":\"External\",\"external\":{\"endpoint\":\"%s\"}}}"
            .formatted(endpoint));
  }

  /// Changes nothing that counts, so that whoever watches looks now and not later.
  void touch() {
    patch(
        SPEC, "{\"metadata\":{\"annotations\":{\"touched\":\"%d\"}}}".formatted(System.nanoTime()));
  }

  /// An object that does not exist has no members.
  JsonNode get(String path) {
    Answer answer = send(() -> client.get(path));
    assertThat(answer.isOk() || answer.status() == 404)
        .as(answer.status() + " " + answer.body())
        .isTrue();
    try {
      return JSON.readTree(answer.body());
    } catch (JsonProcessingException e) {
      throw new AssertionError(path, e);
    }
  }

  JsonNode operator() {
    return get("/apis/operator.openshift.io/v1/" + KUBE + "/cluster");
  }

  JsonNode condition(String type) {
    for (JsonNode one : operator().at("/status/conditions")) {
      if (one.path("type").asText().equals(type)) {
        return one;
      }
    }
    return JSON.createObjectNode();
  }

  void awaitCondition(String type, String status, String... words) {
    Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .untilAsserted(() -> isSo(type, status, words));
  }

  /// Where the operator may have reason to look seldom.
  void pressForCondition(String type, String status, String... words) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions()
        .untilAsserted(() -> {
          touch();
          isSo(type, status, words);
        });
  }

  private void isSo(String type, String status, String... words) {
    JsonNode found = condition(type);
    assertThat(found.path("status").asText())
        .as(() -> operator().toPrettyString())
        .isEqualTo(status);
    String text = found.path("reason").asText() + ": " + found.path("message").asText();
    for (String word : words) {
      assertThat(text).contains(word);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
