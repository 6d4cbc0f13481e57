package io.keyward.node.agent;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.keyward.testbed.ApiClient;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executors;

/// Stands before a real API server and says that it is of an older release. Only what the operator
/// does with such a server is passed on.
public final class FakeOldServer implements AutoCloseable {
  private final HttpServer door;
  private final ApiClient server;

  FakeOldServer(ApiClient server) throws IOException {
    this.server = server;
    door = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    door.createContext("/", this::handle);
    door.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    door.start();
  }

  String url() {
    return "http://127.0.0.1:" + door.getAddress().getPort();
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      String path = exchange.getRequestURI().getPath();
      String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
      ApiClient.Answer answer =
          switch (exchange.getRequestMethod()) {
            case "PATCH" -> server.mergePatch(path, body);
            case "GET" -> server.get(path);
            default -> new ApiClient.Answer(405, "", false);
          };
      String text = path.equals("/version") ? "{\"major\":\"1\",\"minor\":\"28+\"}" : answer.body();
      byte[] bytes = text.getBytes(UTF_8);
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
