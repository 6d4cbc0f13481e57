package io.keyward.kms.fakes;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsServer;
import io.keyward.testbed.pki.Pki;
import io.keyward.testbed.pki.TlsContexts;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.URLDecoder;
import java.nio.file.Path;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;

/// An HTTPS server on loopback with a certificate of a throw-away authority: the part that all
/// fakes have in common. Answers are JSON.
final class FakeHttps implements AutoCloseable {
  static final ObjectMapper JSON = new ObjectMapper();

  /// What a service makes of a request.
  interface Service {
    Answer answer(Request request);
  }

  record Request(String method, String path, Map<String, String> headers, String body) {
    String header(String name) {
      return headers.getOrDefault(name.toLowerCase(java.util.Locale.ROOT), "");
    }

    JsonNode json() {
      try {
        return JSON.readTree(body);
      } catch (JsonProcessingException e) {
        throw new IllegalArgumentException("not JSON", e);
      }
    }

    Map<String, String> form() {
      var form = new HashMap<String, String>();
      for (String pair : body.split("&", -1)) {
        String[] parts = pair.split("=", 2);
        form.put(decode(parts[0]), parts.length > 1 ? decode(parts[1]) : "");
      }
      return form;
    }

    private static String decode(String text) {
      return URLDecoder.decode(text, UTF_8);
    }
  }

  record Answer(int status, Map<String, String> headers, JsonNode body) {
    static Answer ok(JsonNode body) {
      return new Answer(200, Map.of(), body);
    }
  }

  private final HttpsServer server;
  private final ExecutorService executor = Executors.newVirtualThreadPerTaskExecutor();
  private final CountDownLatch closing = new CountDownLatch(1);
  private final Path ca;
  private final List<String> calls = new CopyOnWriteArrayList<>();
  private final Set<InetSocketAddress> connections = ConcurrentHashMap.newKeySet();
  private volatile FakeMood mood = FakeMood.GOOD;

  FakeHttps(Path directory, Service service) {
    Pki pki = Pki.create(directory.resolve("fake-pki"));
    ca = pki.clusterCa();
    try {
      server = HttpsServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
    } catch (IOException e) {
      throw new UncheckedIOException("no port on loopback", e);
    }
    var identity = pki.server("fake", List.of("localhost"));
    server.setHttpsConfigurator(new HttpsConfigurator(TlsContexts.client(ca, identity)));
    server.setExecutor(executor);
    server.createContext("/", exchange -> handle(exchange, service));
    server.start();
  }

  URI address() {
    return URI.create("https://localhost:" + server.getAddress().getPort());
  }

  Path ca() {
    return ca;
  }

  void mood(FakeMood next) {
    mood = next;
  }

  /// Every request so far, as method and path.
  List<String> calls() {
    return List.copyOf(calls);
  }

  /// How many connections were used so far.
  int connections() {
    return connections.size();
  }

  private void handle(HttpExchange exchange, Service service) throws IOException {
    connections.add(exchange.getRemoteAddress());
    String body = new String(exchange.getRequestBody().readAllBytes(), UTF_8);
    String path = exchange.getRequestURI().getPath();
    calls.add(exchange.getRequestMethod() + " " + path);
    switch (mood) {
      case FakeMood.Good() -> answer(exchange, service, body);
      case FakeMood.Slow(var delay) -> {
        pause(delay.toMillis());
        answer(exchange, service, body);
      }
      case FakeMood.Silent() -> {
        pause(Long.MAX_VALUE);
        exchange.close();
      }
      case FakeMood.Reset() -> exchange.close();
      case FakeMood.Empty() -> answer(exchange, _ -> Answer.ok(JSON.createObjectNode()), body);
      case FakeMood.Status(int code) -> {
        exchange.sendResponseHeaders(code, -1);
        exchange.close();
      }
    }
  }

  private static void answer(HttpExchange exchange, Service service, String body)
      throws IOException {
    var headers = new HashMap<String, String>();
    exchange
        .getRequestHeaders()
        .forEach((name, values) ->
            headers.put(name.toLowerCase(java.util.Locale.ROOT), values.getFirst()));
    var request =
        new Request(exchange.getRequestMethod(), exchange.getRequestURI().getPath(), headers, body);
    Answer answer = service.answer(request);
    byte[] bytes = JSON.writeValueAsBytes(answer.body());
    exchange.getResponseHeaders().set("Content-Type", "application/json; charset=utf-8");
    answer.headers().forEach(exchange.getResponseHeaders()::set);
    exchange.sendResponseHeaders(answer.status(), bytes.length);
    try (var out = exchange.getResponseBody()) {
      out.write(bytes);
    }
  }

  private void pause(long millis) {
    try {
      boolean _ = closing.await(millis, java.util.concurrent.TimeUnit.MILLISECONDS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closing.countDown();
    server.stop(0);
    executor.shutdownNow();
  }
}
