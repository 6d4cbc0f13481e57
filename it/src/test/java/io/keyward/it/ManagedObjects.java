package io.keyward.it;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;
import static org.assertj.core.api.Assertions.assertThat;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.ManagedCluster;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;

/// Secrets of the kube-apiservers, with known values.
final class ManagedObjects {
  private static final String PATH = "/api/v1/namespaces/default/secrets";
  private static final int WRITERS = 4;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ManagedCluster cluster;
  private final ApiClient admin;
  private final int count;

  ManagedObjects(ManagedCluster cluster, ApiClient admin, int count) {
    this.cluster = cluster;
    this.admin = admin;
    this.count = count;
  }

  private static String value(int number) {
    return Base64.getEncoder().encodeToString(("tell nobody " + number).getBytes(UTF_8));
  }

  private static String json(int number) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s-%d\"},\"data\":{\"word\":\"%s\"}}"
        .formatted(number, value(number));
  }

  void create() throws InterruptedException {
    try (var threads = Executors.newFixedThreadPool(WRITERS)) {
      List<Callable<Answer>> all = new ArrayList<>();
      for (int i = 0; i < count; i++) {
        String body = json(i);
        all.add(() -> admin.post(PATH, body));
      }
      for (Future<Answer> one : threads.invokeAll(all)) {
        Answer made = one.resultNow();
        assertThat(made.isOk()).as(made.body()).isTrue();
      }
    }
  }

  /// Every value of our objects, from etcd itself.
  List<String> stored() throws IOException {
    String prefix = ManagedCluster.stored("secrets") + "default/s-";
    JsonNode answer = JSON.readTree(cluster.etcd().ctl("get", "--prefix", prefix, "-w", "json"));
    var values = new ArrayList<String>();
    for (JsonNode kv : answer.path("kvs")) {
      values.add(new String(kv.path("value").binaryValue(), ISO_8859_1));
    }
    return values;
  }

  void areReadByEveryApiServer() throws IOException {
    for (int node = 0; node < ManagedCluster.NODES; node++) {
      try (var direct = cluster.directClient(node)) {
        areRead(JSON.readTree(direct.get(PATH).body()).path("items"));
      }
    }
  }

  private void areRead(JsonNode all) {
    int ours = 0;
    for (JsonNode one : all) {
      String name = one.at("/metadata/name").asText();
      if (name.startsWith("s-")) {
        ours++;
        assertThat(one.at("/data/word").asText())
            .isEqualTo(value(Integer.parseInt(name.substring(2))));
      }
    }
    assertThat(ours).isEqualTo(count);
  }
}
