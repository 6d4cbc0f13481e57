package io.keyward.dev.demo;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.NodePlugin;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;

/// The admin of the demo's cluster, who edits one field and looks at the status.
final class Admin implements AutoCloseable {
  private final ApiClient client;

  Admin(ManagedCluster cluster) {
    client = cluster.client(0);
  }

  void want(String type) {
    patch("{\"type\":\"%s\",\"kms\":null}".formatted(type));
  }

  void want(NodePlugin plugin) {
    patch(
        "{\"type\":\"KMS\",\"kms\":{\"type\":\"External\",\"external\":{\"endpoint\":\"%s\"}}}"
            .formatted(plugin.endpoint()));
  }

  private void patch(String encryption) {
    Answer answer =
        client.mergePatch(
            "/apis/config.openshift.io/v1/apiservers/cluster",
            "{\"spec\":{\"encryption\":" + encryption + "}}");
    if (!answer.isOk()) {
      throw new TestbedException("the API server rejected the request", answer.body());
    }
  }

  JsonNode status() {
    return get("/apis/operator.openshift.io/v1/kubeapiservers/cluster").path("status");
  }

  private JsonNode get(String path) {
    Answer answer = client.get(path);
    try {
      return new ObjectMapper().readTree(answer.body());
    } catch (IOException e) {
      throw new TestbedException("the API server sent no JSON", "", e);
    }
  }

  @Override
  public void close() {
    client.close();
  }
}
