package io.keyward.kube.migrate;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.keyward.testbed.ApiClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.Executors;

/// Stands before a real API server and asks for patience now and then, because a real one cannot be
/// made busy at will. All else is answered by the real one.
public final class FakeBusyFront implements AutoCloseable {
  private final HttpServer door;
  private final ApiClient server;
  private final Map<String, List<Long>> patches = new ConcurrentHashMap<>();
  private volatile Rule rule = (_, _) -> false;

  /// Whether the nth try, from 1, to patch this is refused.
  interface Rule {
    boolean refuses(String path, int attempt);
  }

  FakeBusyFront(ApiClient server) throws IOException {
    this.server = server;
    door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    door.createContext("/", this::handle);
    door.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    door.start();
  }

  URI url() {
    return URI.create("http://127.0.0.1:" + door.getAddress().getPort());
  }

  void refuse(Rule wanted) {
    patches.clear();
    rule = wanted;
  }

  /// When patches of each path came, in nanoseconds of some clock.
  Map<String, List<Long>> patches() {
    return patches;
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().toString();
      String body = new String(exchange.getRequestBody().readAllBytes(), StandardCharsets.UTF_8);
      if (exchange.getRequestMethod().equals("PATCH") && path.contains("/namespaces/m/")) {
        List<Long> times = patches.computeIfAbsent(path, _ -> new CopyOnWriteArrayList<>());
        times.add(System.nanoTime());
        if (rule.refuses(path, times.size())) {
          exchange.getResponseHeaders().add("Retry-After", "1");
          exchange.sendResponseHeaders(429, -1);
          return;
        }
      }
      ApiClient.Answer answer =
          switch (exchange.getRequestMethod()) {
            case "PATCH" -> server.mergePatch(path, body);
            case "PUT" -> server.put(path, body);
            case "POST" -> server.post(path, body);
            case "DELETE" -> server.delete(path);
            default -> server.get(path);
          };
      byte[] bytes = answer.body().getBytes(StandardCharsets.UTF_8);
      exchange.getResponseHeaders().add("Content-Type", "application/json");
      exchange.sendResponseHeaders(answer.status(), bytes.length);
      exchange.getResponseBody().write(bytes);
    }
  }

  @Override
  public void close() {
    door.stop(0);
  }
}
