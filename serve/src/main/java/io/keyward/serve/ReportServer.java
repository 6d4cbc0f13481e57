package io.keyward.serve;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Semaphore;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/// Health and metrics over HTTP or HTTPS. `/livez`, `/readyz` and `/healthz` are three questions,
/// because their answers call for three different acts: restart the process, do not send it
/// traffic, look at what it depends on. They need no token, so that a kubelet can ask them.
///
/// Nothing here is secret, and nothing can be changed. Names of keys and endpoints in the metrics
/// are nevertheless none of a stranger's business.
public final class ReportServer implements AutoCloseable {
  private static final String TEXT = "text/plain; charset=utf-8";

  /// Requests in progress. Probes and scrapes come one at a time; more is an attack or a defect.
  private static final int MOST_REQUESTS = 16;

  private static final Answer NOT_FOUND = Answer.text(404, "not found");

  private final Report report;
  private final Optional<BearerTokens> tokens;
  private final boolean servesMetrics;
  private final HttpServer server;
  private final String scheme;
  private final Semaphore requests = new Semaphore(MOST_REQUESTS);
  private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();

  private record Answer(int code, String type, String body) {
    static Answer text(int code, String text) {
      return new Answer(code, TEXT, text + "\n");
    }

    static Answer of(Health health) {
      return text(health.isGood() ? 200 : 503, health.text());
    }
  }

  private ReportServer(ListenSettings settings, Report report) throws IOException {
    this.report = report;
    servesMetrics = !settings.healthOnly();
    tokens = settings.tokenFile().map(BearerTokens::in);
    InetSocketAddress socket = settings.address().socket();
    if (settings.tls().isPresent()) {
      scheme = "https";
      server = HttpServers.tls(socket, new ReloadingKeys(settings.tls().get()));
    } else {
      scheme = "http";
      server = HttpServers.plain(socket);
    }
    server.setExecutor(threads);
    server.createContext("/", this::handle);
  }

  /// Starts to listen.
  ///
  /// @throws ListenFailure if a file or the address cannot be used
  public static ReportServer start(ListenSettings settings, Report report) {
    try {
      var server = new ReportServer(settings, report);
      server.server.start();
      return server;
    } catch (IOException | IllegalArgumentException e) {
      throw new ListenFailure(
          "cannot listen on " + settings.address() + ": " + e.getMessage(),
          "choose another address",
          e);
    }
  }

  /// Starts to listen where an address is set, and reports the address.
  ///
  /// @return null if nothing is to be served
  /// @throws ListenFailure if a file or the address cannot be used
  public static @Nullable ReportServer start(
      Optional<ListenSettings> settings, Report report, Consumer<String> log) {
    if (settings.isEmpty()) {
      return null;
    }
    ReportServer server = start(settings.orElseThrow(), report);
    String what = server.servesMetrics ? "health and metrics on " : "health on ";
    log.accept(what + server.url());
    return server;
  }

  /// Reads the files that a start would read, and opens nothing.
  ///
  /// @throws ListenFailure if one of them cannot be used
  public static void check(ListenSettings settings) {
    settings.tokenFile().ifPresent(BearerTokens::in);
    settings.tls().ifPresent(files -> ServerIdentity.read(files, "check"));
  }

  /// The address it listens on, with the real port where 0 was requested.
  public InetSocketAddress address() {
    return server.getAddress();
  }

  /// Where a client finds it.
  public String url() {
    return scheme + "://" + new ListenAddress(address().getHostString(), address().getPort());
  }

  private void handle(HttpExchange exchange) throws IOException {
    try (exchange) {
      send(exchange, limited(exchange));
    }
  }

  /// A client that is slow to read its answer does not count any more.
  private Answer limited(HttpExchange exchange) throws IOException {
    if (!requests.tryAcquire()) {
      return Answer.text(503, "too many requests");
    }
    try {
      return answer(exchange);
    } finally {
      requests.release();
    }
  }

  private Answer answer(HttpExchange exchange) throws IOException {
    String method = exchange.getRequestMethod();
    if (!method.equals("GET") && !method.equals("HEAD")) {
      exchange.getResponseHeaders().set("Allow", "GET, HEAD");
      return Answer.text(405, "only GET and HEAD are allowed");
    }
    return switch (exchange.getRequestURI().getPath()) {
      case "/livez" -> Answer.of(report.live());
      case "/readyz" -> Answer.of(report.ready());
      case "/healthz" -> Answer.of(report.health());
      case "/metrics" -> servesMetrics ? metrics(exchange) : NOT_FOUND;
      default -> NOT_FOUND;
    };
  }

  private Answer metrics(HttpExchange exchange) throws IOException {
    String authorization = exchange.getRequestHeaders().getFirst("Authorization");
    if (tokens.isPresent() && !tokens.get().accept(authorization)) {
      exchange.getResponseHeaders().set("WWW-Authenticate", "Bearer");
      return Answer.text(401, "a bearer token is required");
    }
    return new Answer(200, PrometheusTextFormatWriter.CONTENT_TYPE, report.metrics());
  }

  private static void send(HttpExchange exchange, Answer answer) throws IOException {
    exchange.getResponseHeaders().set("Content-Type", answer.type());
    if (exchange.getRequestMethod().equals("HEAD")) {
      exchange.sendResponseHeaders(answer.code(), -1);
      return;
    }
    byte[] body = answer.body().getBytes(UTF_8);
    exchange.sendResponseHeaders(answer.code(), body.length);
    exchange.getResponseBody().write(body);
  }

  /// Closes every connection at once: a client that is slow must not delay the end of the process.
  @Override
  public void close() {
    server.stop(0);
    threads.shutdownNow();
  }
}
