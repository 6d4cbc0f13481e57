package io.keyward.kms.vault;

import static java.nio.charset.StandardCharsets.UTF_8;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import com.sun.net.httpserver.HttpsConfigurator;
import com.sun.net.httpserver.HttpsExchange;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executors;
import javax.net.ssl.ExtendedSSLSession;
import javax.net.ssl.SSLContext;

/// A fake of Vault's HTTP interface, for answers that a healthy real one does not give. Logins
/// succeed; everything else gets the answer it was told.
final class FakeVault implements AutoCloseable {
  static final String SEALED = "{\"data\":{\"ciphertext\":\"vault:v1:AAAA\",\"key_version\":1}}";
  private static final String LOGIN = "{\"auth\":{\"client_token\":\"t\",\"lease_duration\":3600}}";

  /// One request as it came in.
  record Seen(String path, String namespace, List<String> serverNames) {}

  private final HttpServer server;
  private final String scheme;
  private final ConcurrentLinkedQueue<Seen> seen = new ConcurrentLinkedQueue<>();
  private volatile int status = 200;
  private volatile String body = SEALED;
  private volatile boolean loginsFail;

  FakeVault(Optional<SSLContext> tls) {
    var anyPort = new InetSocketAddress(InetAddress.getLoopbackAddress(), 0);
    try {
      if (tls.isPresent()) {
        var secure = HttpsServer.create(anyPort, 0);
        secure.setHttpsConfigurator(new HttpsConfigurator(tls.get()));
        server = secure;
      } else {
        server = HttpServer.create(anyPort, 0);
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    scheme = tls.isPresent() ? "https" : "http";
    server.createContext("/", this::handle);
    server.setExecutor(Executors.newVirtualThreadPerTaskExecutor());
    server.start();
  }

  URI address(String host) {
    return URI.create(scheme + "://" + host + ":" + server.getAddress().getPort());
  }

  void answer(int newStatus, String newBody) {
    status = newStatus;
    body = newBody;
  }

  /// Refuses all logins from now on.
  void refuseLogins() {
    loginsFail = true;
  }

  List<Seen> seen() {
    return List.copyOf(seen);
  }

  private void handle(HttpExchange exchange) throws IOException {
    String namespace =
        Optional.ofNullable(exchange.getRequestHeaders().getFirst("X-Vault-Namespace")).orElse("");
    String path = exchange.getRequestURI().getPath();
    seen.add(new Seen(path, namespace, names(exchange)));
    exchange.getRequestBody().readAllBytes();
    boolean login = path.endsWith("/login");
    byte[] bytes = (login && !loginsFail ? LOGIN : body).getBytes(UTF_8);
    int code = login ? (loginsFail ? 400 : 200) : status;
    exchange.sendResponseHeaders(code, bytes.length == 0 ? -1 : bytes.length);
    exchange.getResponseBody().write(bytes);
    exchange.close();
  }

  private static List<String> names(HttpExchange exchange) {
    return exchange instanceof HttpsExchange secure
            && secure.getSSLSession() instanceof ExtendedSSLSession session
        ? session.getRequestedServerNames().stream()
            .map(name -> new String(name.getEncoded(), UTF_8))
            .toList()
        : List.of();
  }

  @Override
  public void close() {
    server.stop(0);
  }
}
