package io.keyward.cli.operator;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import io.keyward.cli.CommandFailure;
import io.prometheus.metrics.expositionformats.PrometheusTextFormatWriter;
import io.prometheus.metrics.model.registry.PrometheusRegistry;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.net.InetSocketAddress;
import java.util.Optional;
import java.util.concurrent.Executors;
import org.jspecify.annotations.Nullable;
import picocli.CommandLine;
import picocli.CommandLine.ParameterException;

/// `/metrics` and `/healthz` of a part that runs for long. Nothing here is secret, and nothing can
/// be changed.
public final class MetricsServer implements AutoCloseable {
  private final HttpServer server;

  /// What there is to be told.
  public interface Source {
    PrometheusRegistry registry();

    /// In the text format of Prometheus.
    default byte[] text() throws IOException {
      var out = new ByteArrayOutputStream();
      PrometheusTextFormatWriter.create().write(out, registry().scrape());
      return out.toByteArray();
    }

    /// Why a restart would help, where it would.
    default Optional<String> problem() {
      return Optional.empty();
    }
  }

  MetricsServer(InetSocketAddress address, Source source) throws IOException {
    server = HttpServer.create(address, 16);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.createContext(
        "/metrics",
        exchange -> send(exchange, 200, PrometheusTextFormatWriter.CONTENT_TYPE, source.text()));
    server.createContext(
        "/healthz",
        exchange -> {
          Optional<String> problem = source.problem();
          send(
              exchange,
              problem.isPresent() ? 503 : 200,
              "text/plain; charset=utf-8",
              (problem.orElse("ok") + "\n").getBytes(UTF_8));
        });
    server.start();
  }

  /// As `--listen` says.
  ///
  /// @param listen null where nobody asked for it; then there is none
  public static @Nullable MetricsServer of(
      @Nullable String listen, CommandLine command, Source source) {
    if (listen == null) {
      return null;
    }
    int colon = listen.lastIndexOf(':');
    try {
      int port = Integer.parseInt(listen.substring(colon + 1));
      return new MetricsServer(
          new InetSocketAddress(listen.substring(0, Math.max(0, colon)), port), source);
    } catch (IllegalArgumentException e) {
      throw new ParameterException(command, "--listen is HOST:PORT, as in 127.0.0.1:8444", e);
    } catch (IOException e) {
      throw new CommandFailure(
          "cannot listen on " + listen + ": " + e.getMessage(), "choose another address", e);
    }
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
