package io.keyward.kms.plugin.report;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.keyward.kms.plugin.health.KeyWatch;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/// Health and metrics over HTTP. Three questions with three answers, because they call for three
/// different acts: restart the process, do not send it traffic, look at the KMS.
public final class ReportServer implements AutoCloseable {
  private final HttpServer server;

  /// Starts to listen.
  ///
  /// @param alive whether the event loop still turns; if not, a restart helps
  /// @param ready whether all sockets are open
  /// @param refreshHealth tries the keys for which that costs nothing
  public ReportServer(
      InetSocketAddress address,
      BooleanSupplier alive,
      BooleanSupplier ready,
      Map<String, KeyWatch> keys,
      Runnable refreshHealth,
      PluginMetrics metrics)
      throws IOException {
    var watches = new TreeMap<>(keys);
    server = HttpServer.create(address, 16);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/livez",
        exchange ->
            answer(exchange, alive.getAsBoolean(), "ok\n", "the event loop does not turn\n"));
    server.createContext(
        "/readyz",
        exchange -> answer(exchange, ready.getAsBoolean(), "ok\n", "the sockets are not open\n"));
    server.createContext(
        "/healthz",
        exchange -> {
          refreshHealth.run();
          health(exchange, watches);
        });
    server.createContext("/metrics", exchange -> metrics(exchange, metrics));
    server.start();
  }

  /// The address it listens on, with the real port where 0 was asked for.
  public InetSocketAddress address() {
    return server.getAddress();
  }

  private static void health(HttpExchange exchange, Map<String, KeyWatch> keys) throws IOException {
    boolean good = true;
    var text = new StringBuilder();
    for (var key : keys.entrySet()) {
      KeyWatch watch = key.getValue();
      Optional<String> problem = watch.problem();
      good &= problem.isEmpty();
      line(text, key.getKey(), problem.orElse("ok"));
      watch.facts().warnings().forEach(warning -> line(text, key.getKey(), "warning: " + warning));
    }
    answer(exchange, good, text.toString(), text.toString());
  }

  private static void line(StringBuilder text, String key, String words) {
    text.append(key).append(": ").append(words).append('\n');
  }

  private static void metrics(HttpExchange exchange, PluginMetrics metrics) throws IOException {
    var body = new ByteArrayOutputStream();
    metrics.write(body);
    exchange.getResponseHeaders().set("Content-Type", PluginMetrics.contentType());
    send(exchange, 200, body.toByteArray());
  }

  private static void answer(HttpExchange exchange, boolean good, String yes, String no)
      throws IOException {
    exchange.getResponseHeaders().set("Content-Type", "text/plain; charset=utf-8");
    send(exchange, good ? 200 : 503, (good ? yes : no).getBytes(UTF_8));
  }

  private static void send(HttpExchange exchange, int code, byte[] body) throws IOException {
    try (exchange) {
      exchange.sendResponseHeaders(code, body.length);
      exchange.getResponseBody().write(body);
    }
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
