package io.keyward.cli.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.Executors;

/// `/metrics` and `/healthz` of the operator. Nothing here is secret, and nothing can be changed.
final class OperatorServer implements AutoCloseable {
  /// A turn that lasts longer than this will not end; a restart helps.
  private static final Duration LONGEST_TURN = Duration.ofMinutes(10);

  private final HttpServer server;

  OperatorServer(InetSocketAddress address, OperatorMetrics metrics) throws IOException {
    server = HttpServer.create(address, 16);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/metrics", exchange -> send(exchange, 200, OperatorMetrics.CONTENT_TYPE, metrics.text()));
    server.createContext(
        "/healthz",
        exchange -> {
          Optional<String> stuck = metrics.stuck(LONGEST_TURN);
          send(
              exchange,
              stuck.isPresent() ? 503 : 200,
              "text/plain; charset=utf-8",
              stuck.map(one -> "no turn of " + one + " ends\n").orElse("ok\n").getBytes(UTF_8));
        });
    server.start();
  }

  InetSocketAddress address() {
    return server.getAddress();
  }

  private static void send(HttpExchange exchange, int code, String type, byte[] body)
      throws IOException {
    try (exchange) {
      exchange.getResponseHeaders().set("Content-Type", type);
      exchange.sendResponseHeaders(code, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
