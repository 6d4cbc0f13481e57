package io.keyward.bench.migrator;

import com.fasterxml.jackson.databind.node.JsonNodeFactory;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.codec.object.Labels;
import io.keyward.kube.client.Api;
import io.keyward.testbed.ApiServer;
import io.keyward.testbed.ControlPlane;
import java.nio.file.Path;
import java.util.Base64;
import java.util.Optional;
import java.util.concurrent.Executors;
import java.util.stream.IntStream;

/// A real API server with secrets, whose key can be changed.
final class KeyedCluster implements AutoCloseable {
  static final String SECRETS = "/api/v1/namespaces/bench/secrets";

  private final ControlPlane plane;
  private final int secrets;
  private Api api;
  private int key = 1;

  KeyedCluster(Path directory, int secrets) {
    this.secrets = secrets;
    plane = ControlPlane.builder(directory).controllerManager(true).create();
    plane.apiServer(0).writeEncryptionConfig(config());
    plane.start();
    api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
    api.create("/api/v1/namespaces", object("Namespace", "bench"));
    api.create("/api/v1/namespaces", object("Namespace", "openshift-config-managed"));
    try (var threads = Executors.newFixedThreadPool(8)) {
      IntStream.range(0, secrets).forEach(i -> threads.execute(() -> create("s-" + i)));
    }
  }

  Api api() {
    return api;
  }

  /// With connections of its own.
  Api another() {
    return Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
  }

  int secrets() {
    return secrets;
  }

  String key() {
    return Integer.toString(key);
  }

  void create(String name) {
    ObjectNode secret = object("Secret", name);
    secret.putObject("stringData").put("word", "x".repeat(200));
    api.create(SECRETS, secret);
  }

  private static ObjectNode object(String kind, String name) {
    ObjectNode json = JsonNodeFactory.instance.objectNode().put("apiVersion", "v1");
    json.put("kind", kind).putObject("metadata").put("name", name);
    return json;
  }

  /// From now on everything stored is stale. The API server and all connections are new.
  void nextKey() throws InterruptedException {
    key++;
    api.close();
    ApiServer server = plane.apiServer(0);
    server.stop();
    server.writeEncryptionConfig(config());
    server.start();
    server.awaitReady();
    api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty());
    // Caches fill and garbage of the start is collected.
    Thread.sleep(5_000);
    api.list(SECRETS, Labels.ANY);
  }

  private String config() {
    var keys = new StringBuilder();
    for (int i = key; i > 0; i--) {
      var material = new byte[32];
      material[0] = (byte) i;
      keys.append("            - {name: \"").append(i).append("\", secret: ");
      keys.append(Base64.getEncoder().encodeToString(material)).append("}\n");
    }
    return """
    apiVersion: apiserver.config.k8s.io/v1
    kind: EncryptionConfiguration
    resources:
      - resources: [secrets]
        providers:
          - aescbc:
              keys:
    """
        + keys
        + "      - identity: {}\n";
  }

  @Override
  public void close() {
    api.close();
    plane.close();
  }
}
