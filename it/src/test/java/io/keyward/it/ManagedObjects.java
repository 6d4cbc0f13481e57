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

/// Secrets of the kube-apiservers and flunders of the aggregated API server, with known values.
final class ManagedObjects {
  static final List<String> KINDS = List.of("secrets", "flunders");
  private static final int FLUNDERS = 50;
  private static final int WRITERS = 4;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final ManagedCluster cluster;
  private final ApiClient admin;
  private final int secrets;

  ManagedObjects(ManagedCluster cluster, ApiClient admin, int secrets) {
    this.cluster = cluster;
    this.admin = admin;
    this.secrets = secrets;
  }

  int count(String kind) {
    return kind.equals("flunders") ? FLUNDERS : secrets;
  }

  private static String path(String kind) {
    return kind.equals("flunders")
        ? "/apis/wardle.example.com/v1alpha1/namespaces/default/flunders"
        : "/api/v1/namespaces/default/secrets";
  }

  private static String value(String kind, int number) {
    String text = "tell nobody " + number;
    return kind.equals("flunders")
        ? text
        : Base64.getEncoder().encodeToString(text.getBytes(UTF_8));
  }

  private static String json(String kind, int number) {
    String form =
        kind.equals("flunders")
            ? "{\"apiVersion\":\"wardle.example.com/v1alpha1\",\"kind\":\"Flunder\",\"metadata\":{\"name\":\"s-%d\"},\"spec\":{\"reference\":\"%s\"}}"
            : "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"s-%d\"},\"data\":{\"word\":\"%s\"}}";
    return form.formatted(number, value(kind, number));
  }

  void create() throws InterruptedException {
    for (String kind : KINDS) {
      try (var threads = Executors.newFixedThreadPool(WRITERS)) {
        List<Callable<Answer>> all = new ArrayList<>();
        for (int i = 0; i < count(kind); i++) {
          String body = json(kind, i);
          all.add(() -> admin.post(path(kind), body));
        }
        for (Future<Answer> one : threads.invokeAll(all)) {
          Answer made = one.resultNow();
          assertThat(made.isOk()).as(made.body()).isTrue();
        }
      }
    }
  }

  /// Every value of our objects, from etcd itself.
  List<String> stored(String kind) throws IOException {
    String prefix = ManagedCluster.stored(kind) + "default/s-";
    JsonNode answer = JSON.readTree(cluster.etcd().ctl("get", "--prefix", prefix, "-w", "json"));
    var values = new ArrayList<String>();
    for (JsonNode kv : answer.path("kvs")) {
      values.add(new String(kv.path("value").binaryValue(), ISO_8859_1));
    }
    return values;
  }

  /// Flunders by way of each kube-apiserver.
  void areReadByEveryApiServer() throws IOException {
    for (int node = 0; node < ManagedCluster.NODES; node++) {
      try (var direct = cluster.directClient(node)) {
        for (String kind : KINDS) {
          areRead(kind, JSON.readTree(direct.get(path(kind)).body()).path("items"));
        }
      }
    }
  }

  private void areRead(String kind, JsonNode all) {
    int ours = 0;
    for (JsonNode one : all) {
      String name = one.at("/metadata/name").asText();
      if (name.startsWith("s-")) {
        ours++;
        String at = kind.equals("flunders") ? "/spec/reference" : "/data/word";
        assertThat(one.at(at).asText()).isEqualTo(value(kind, Integer.parseInt(name.substring(2))));
      }
    }
    assertThat(ours).isEqualTo(count(kind));
  }
}
