package io.keyward.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.ManagedCluster;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.function.Predicate;
import org.awaitility.Awaitility;

/// What an admin of a managed cluster does and sees. Tries again where an API server just restarts.
final class Admin implements AutoCloseable {
  static final String MANAGED = "/api/v1/namespaces/openshift-config-managed";
  static final String SYSTEM = "/api/v1/namespaces/kube-system";
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final String OPERATOR = "/apis/operator.openshift.io/v1/kubeapiservers/cluster";
  private static final Duration PATIENCE = Duration.ofMinutes(4);
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ManagedCluster cluster;
  private final ApiClient client;
  private final int secrets;

  /// Makes so many secrets.
  Admin(ManagedCluster cluster, int secrets) {
    this.cluster = cluster;
    this.client = cluster.client(0);
    this.secrets = secrets;
    for (int i = 0; i < secrets; i++) {
      String body =
          "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s-%d\"},\"data\":{\"word\":\"%s\"}}"
              .formatted(i, word(i));
      send(() -> client.post(SECRETS, body));
    }
  }

  private static String word(int number) {
    return Base64.getEncoder().encodeToString(("tell nobody " + number).getBytes(UTF_8));
  }

  private interface Request {
    Answer send();
  }

  private static String send(Request request) {
    return Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(request::send, answer -> answer.status() < 429)
        .body();
  }

  /// Also what is refused is an answer.
  Answer want(String encryption) {
    String body = "{\"spec\":{\"encryption\":%s}}".formatted(encryption);
    return Awaitility.await()
        .atMost(PATIENCE)
        .ignoreExceptions()
        .until(
            () -> client.mergePatch("/apis/config.openshift.io/v1/apiservers/cluster", body),
            answer -> answer.status() < 429);
  }

  void patch(String path, String body) {
    send(() -> client.mergePatch(path, body));
  }

  void post(String path, String body) {
    send(() -> client.post(path, body));
  }

  void delete(String path) {
    send(() -> client.delete(path));
  }

  /// Asks for another key of the same kind.
  void rotate(String reason) {
    patch(
        OPERATOR,
        "{\"spec\":{\"unsupportedConfigOverrides\":{\"encryption\":{\"reason\":\"%s\"}}}}"
            .formatted(reason));
  }

  JsonNode get(String path) {
    try {
      return JSON.readTree(send(() -> client.get(path)));
    } catch (JsonProcessingException e) {
      throw new AssertionError(path, e);
    }
  }

  JsonNode operator() {
    return get(OPERATOR);
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
        .untilAsserted(() -> {
          JsonNode found = condition(type);
          assertThat(found.path("status").asText())
              .as(() -> operator().toPrettyString())
              .isEqualTo(status);
          String text = found.path("reason").asText() + ": " + found.path("message").asText();
          for (String word : words) {
            assertThat(text).contains(word);
          }
        });
  }

  void awaitStored(Predicate<String> wanted) {
    Awaitility.await()
        .atMost(PATIENCE)
        .pollInterval(Duration.ofMillis(500))
        .ignoreExceptions()
        .untilAsserted(() ->
            assertThat(stored())
                .as(() -> operator().toPrettyString())
                .hasSize(secrets)
                .allMatch(wanted));
  }

  /// Every value of our secrets, from etcd itself.
  List<String> stored() throws IOException {
    JsonNode answer =
        JSON.readTree(
            cluster.etcd().ctl("get", "--prefix", "/registry/secrets/default/s-", "-w", "json"));
    var values = new ArrayList<String>();
    for (JsonNode kv : answer.path("kvs")) {
      values.add(new String(kv.path("value").binaryValue(), ISO_8859_1));
    }
    return values;
  }

  /// By each API server on its own.
  void everySecretIsRead() throws IOException {
    for (int node = 0; node < ManagedCluster.NODES; node++) {
      try (var direct = cluster.directClient(node)) {
        int ours = 0;
        for (JsonNode one : JSON.readTree(direct.get(SECRETS).body()).path("items")) {
          String name = one.at("/metadata/name").asText();
          if (name.startsWith("s-")) {
            ours++;
            assertThat(one.at("/data/word").asText())
                .isEqualTo(word(Integer.parseInt(name.substring(2))));
          }
        }
        assertThat(ours).as("read by node " + node).isEqualTo(secrets);
      }
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
