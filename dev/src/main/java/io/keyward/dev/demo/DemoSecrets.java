package io.keyward.dev.demo;

import static java.nio.charset.StandardCharsets.ISO_8859_1;
import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.ApiClient;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.ManagedCluster;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.function.IntPredicate;

/// The secrets of the demo: through API servers as users see them, and in etcd as thieves would.
final class DemoSecrets {
  private static final String SECRETS = "/api/v1/namespaces/demo/secrets";
  private static final int AT_ONCE = 8;
  private static final Duration PATIENCE = Duration.ofMinutes(1);

  private final ManagedCluster cluster;
  private final int count;

  DemoSecrets(ManagedCluster cluster, int count) {
    this.cluster = cluster;
    this.count = count;
  }

  static String name(int number) {
    return "secret-" + number;
  }

  static String value(int number) {
    return "the-password-of-customer-" + number;
  }

  void createAll() {
    try (ApiClient client = cluster.client(0)) {
      createAll(client);
    }
  }

  private void createAll(ApiClient client) {
    accepted(
        client.post(
            "/api/v1/namespaces",
            "{\"apiVersion\":\"v1\",\"kind\":\"Namespace\",\"metadata\":{\"name\":\"demo\"}}"));
    each(count, number -> accepted(client.post(SECRETS, json(name(number), value(number)))));
  }

  /// Whether all still have their values, read from each API server itself.
  boolean allRead() {
    boolean all = true;
    for (int node = 0; node < ManagedCluster.NODES; node++) {
      try (ApiClient direct = cluster.directClient(node)) {
        all &=
            each(
                count,
                number -> reads(direct, SECRETS + "/" + name(number), encoded(value(number))));
      }
    }
    return all;
  }

  /// Key to stored bytes, one character a byte, of all objects of a resource in the whole cluster.
  Map<String, String> stored(String resource) {
    return under(ManagedCluster.stored(resource));
  }

  /// What etcd holds of the first secret.
  String first() {
    return stored("secrets").getOrDefault("/registry/secrets/demo/" + name(0), "");
  }

  private Map<String, String> under(String prefix) {
    var found = new TreeMap<String, String>();
    try {
      byte[] json = cluster.etcd().ctl("get", "--prefix", prefix, "-w", "json");
      for (JsonNode kv : new ObjectMapper().readTree(json).path("kvs")) {
        found.put(
            new String(kv.get("key").binaryValue(), UTF_8),
            new String(kv.get("value").binaryValue(), ISO_8859_1));
      }
    } catch (IOException e) {
      throw new TestbedException("etcdctl printed no JSON", "", e);
    }
    return found;
  }

  /// An API server that is just started anew, since old keys leave after the data did, is asked
  /// again. A wrong answer counts at once.
  private static boolean reads(ApiClient server, String path, String value) {
    var holds = new AtomicBoolean();
    boolean answered =
        Waiting.until(
            () -> {
              try {
                Answer answer = server.get(path);
                holds.set(answer.body().contains(value));
                return answer.isOk();
              } catch (TestbedException _) {
                return false;
              }
            },
            PATIENCE);
    return answered && holds.get();
  }

  private static boolean each(int count, IntPredicate action) {
    var free = new Semaphore(AT_ONCE);
    List<Future<Boolean>> results = new ArrayList<>();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      for (int i = 0; i < count; i++) {
        int number = i;
        free.acquire();
        results.add(
            threads.submit(() -> {
              try {
                return action.test(number);
              } finally {
                free.release();
              }
            }));
      }
      boolean all = true;
      for (Future<Boolean> result : results) {
        all &= result.get();
      }
      return all;
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new TestbedException("interrupted", "", e);
    } catch (ExecutionException e) {
      throw new TestbedException("an API server refused: " + e.getCause(), "", e);
    }
  }

  private static boolean accepted(Answer answer) {
    if (!answer.isOk()) {
      throw new TestbedException("an API server refused: " + answer.body(), "");
    }
    return true;
  }

  private static String json(String name, String value) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"%s\"},\"data\":{\"password\":\"%s\"}}"
        .formatted(name, encoded(value));
  }

  private static String encoded(String value) {
    return Base64.getEncoder().encodeToString(value.getBytes(UTF_8));
  }
}
