package io.keyward.kube.site;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.keyward.codec.object.Labels;
import io.keyward.kube.client.Api;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/// Stores objects by their paths and records every write. It checks nothing: no schema, no version,
/// no permission.
final class FakeCluster implements AutoCloseable {
  private final HttpServer server;
  private final Api api;
  private final Map<String, ObjectNode> objects = new TreeMap<>();
  private final List<String> writes = new CopyOnWriteArrayList<>();
  private int versions;

  FakeCluster(Path directory) throws IOException {
    server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    server.createContext("/", this::handle);
    server.start();
    Path file = Files.createTempFile(directory, "kubeconfig", "");
    Files.writeString(
        file,
        """
        apiVersion: v1
        kind: Config
        clusters: [{name: c, cluster: {server: "http://127.0.0.1:%d"}}]
        users: [{name: u, user: {token: t}}]
        contexts: [{name: x, context: {cluster: c, user: u}}]
        current-context: x
        """
            .formatted(server.getAddress().getPort()));
    api = Api.connect(Optional.of(file), Optional.empty());
    put("/version", Api.JSON.createObjectNode().put("major", "1").put("minor", "36"));
  }

  Api api() {
    return api;
  }

  synchronized void put(String path, ObjectNode object) {
    objects.put(path, object);
  }

  /// The objects that were created, replaced, patched or deleted, by their paths.
  List<String> writes() {
    return List.copyOf(writes);
  }

  private synchronized void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath().replaceFirst("/status$", "");
      byte[] body = exchange.getRequestBody().readAllBytes();
      Optional<JsonNode> answer =
          exchange.getRequestMethod().equals("GET")
              ? read(path, labels(exchange.getRequestURI().getQuery()))
              : Optional.of(
                  write(exchange.getRequestMethod(), path, (ObjectNode) Api.JSON.readTree(body)));
      byte[] text = answer.map(JsonNode::toString).orElse("{}").getBytes(UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.isPresent() ? 200 : 404, text.length);
      exchange.getResponseBody().write(text);
    }
  }

  /// Equality alone: `labelSelector=NAME=VALUE`.
  private static Labels labels(@Nullable String query) {
    String[] parts = query == null ? new String[0] : query.split("=", 3);
    return parts.length == 3 ? Labels.of(parts[1], parts[2]) : Labels.ANY;
  }

  private Optional<JsonNode> read(String path, Labels labels) {
    boolean isCollection = path.matches(".*/(secrets|configmaps|storageversionmigrations)");
    if (!isCollection) {
      return Optional.ofNullable(objects.get(path));
    }
    ObjectNode list = Api.JSON.createObjectNode();
    var items = list.putArray("items");
    objects.forEach((at, one) -> {
      if (at.startsWith(path + "/") && labels.match(one)) {
        items.add(one);
      }
    });
    return Optional.of(list);
  }

  private ObjectNode write(String method, String path, ObjectNode body) {
    JsonNode metadata = body.path("metadata");
    String name = metadata.path("name").asText(metadata.path("generateName").asText());
    String at = method.equals("POST") ? path + "/" + name : path;
    writes.add(at);
    if (method.equals("DELETE")) {
      objects.remove(at);
      return body;
    }
    ObjectNode stored =
        method.equals("PATCH")
            ? merge(objects.getOrDefault(at, Api.JSON.createObjectNode()), body)
            : body;
    versions++;
    stored.withObject("/metadata").put("resourceVersion", Integer.toString(versions));
    if (method.equals("POST")) {
      stored.withObject("/metadata").put("uid", at);
    }
    objects.put(at, stored);
    return stored;
  }

  private static ObjectNode merge(ObjectNode into, ObjectNode patch) {
    patch
        .properties()
        .forEach(one -> {
          JsonNode before = into.path(one.getKey());
          into.set(
              one.getKey(),
              before instanceof ObjectNode old && one.getValue() instanceof ObjectNode more
                  ? merge(old, more)
                  : one.getValue());
        });
    return into;
  }

  @Override
  public void close() {
    api.close();
    server.stop(0);
  }
}
