package io.keyward.kms.vault;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpRequest.BodyPublisher;
import java.net.http.HttpRequest.BodyPublishers;
import java.net.http.HttpResponse;
import java.time.Duration;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Sends single requests to one Vault. HTTP/2 where TLS offers it, so that all calls share one
/// connection; else HTTP/1.1 with connections that are kept.
final class VaultHttp implements AutoCloseable {
  private static final Logger LOG = System.getLogger(VaultHttp.class.getName());

  /// Connections that were idle for longer may be closed, and the name must be looked up again.
  private static final Duration WARM = Duration.ofSeconds(20);

  private static final String TOKEN = "X-Vault-Token";
  private static final String NAMESPACE = "X-Vault-Namespace";

  /// One set of connections. Thrown away when they hang, or when the certificates change.
  private static final class Connections {
    final HttpClient client;
    final FileStamp files;
    volatile long lastAnswer;

    Connections(HttpClient client, FileStamp files) {
      this.client = client;
      this.files = files;
      lastAnswer = System.nanoTime() - 2 * WARM.toNanos(); // never
    }

    boolean answeredSince(long nanoTime) {
      return lastAnswer - nanoTime > 0;
    }
  }

  private final URI base;
  private final Tls tls;
  private final AtomicReference<@Nullable Connections> connections = new AtomicReference<>();

  /// Of the server at `address`, an URI without a path.
  VaultHttp(URI address, Tls tls) {
    this.base = address.resolve("/v1/");
    this.tls = tls;
  }

  /// A request, and who makes it.
  ///
  /// @param token empty for a login
  /// @param body empty for a read
  record Call(String path, String namespace, String token, Optional<byte[]> body) {
    /// Holds secrets.
    @Override
    public String toString() {
      return "Call[" + path + "]";
    }
  }

  /// @throws KmsException if there is no answer at all
  Answer send(Call call, Deadline deadline) {
    long begin = System.nanoTime();
    Connections used = connections();
    try {
      if (!used.answeredSince(begin - WARM.toNanos())) {
        HostName.lookUp(base.getHost(), deadline);
      }
      HttpResponse<byte[]> response =
          used.client.send(request(call, deadline), BoundedBody.handler(deadline));
      used.lastAnswer = System.nanoTime();
      return new Answer(response.statusCode(), Json.parse(response.body()).orElse(Json.EMPTY));
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    } catch (IOException e) {
      KmsException failure = ConnectionFailure.of(e, deadline);
      if (failure.kind() == Kind.TIMEOUT && !used.answeredSince(begin)) {
        // Nothing came back on them for a whole call: they may be dead without knowing it.
        replace(used);
      }
      throw failure;
    }
  }

  private HttpRequest request(Call call, Deadline deadline) {
    var request = HttpRequest.newBuilder(base.resolve(call.path())).timeout(deadline.left());
    if (!call.token().isEmpty()) {
      request.setHeader(TOKEN, call.token());
    }
    if (!call.namespace().isEmpty()) {
      request.setHeader(NAMESPACE, call.namespace());
    }
    // Without it, Vault's agent and proxy refuse where they are told to.
    request.setHeader("X-Vault-Request", "true");
    BodyPublisher body =
        call.body().map(BodyPublishers::ofByteArray).orElseGet(BodyPublishers::noBody);
    return request.method(call.body().isPresent() ? "POST" : "GET", body).build();
  }

  private Connections connections() {
    Connections now = connections.get();
    if (now != null) {
      return now;
    }
    Connections made = connect();
    if (connections.compareAndSet(null, made)) {
      return made;
    }
    made.client.shutdown();
    return connections();
  }

  private Connections connect() {
    // The stamp first: a file that changes while it is read is then read again.
    var stamp = FileStamp.of(tls.files());
    var client =
        HttpClient.newBuilder()
            .version(HttpClient.Version.HTTP_2)
            .followRedirects(HttpClient.Redirect.NEVER)
            // On the client's own thread: handing each answer to another one costs more than
            // reading it. Nothing here waits.
            .executor(Runnable::run);
    if (base.getScheme().equals("https")) {
      client.sslContext(tls.context());
      tls.serverName().ifPresent(name -> client.sslParameters(NamedSslEngine.parameters(name)));
    } else {
      client.version(HttpClient.Version.HTTP_1_1);
    }
    return new Connections(client.build(), stamp);
  }

  /// Takes new certificates into use. What is under way ends on the old connections.
  ///
  /// @return whether there were new ones
  boolean reload() {
    Connections now = connections.get();
    if (now == null || FileStamp.of(tls.files()).equals(now.files)) {
      return false;
    }
    try {
      Connections made = connect();
      if (connections.compareAndSet(now, made)) {
        now.client.shutdown();
        LOG.log(Level.INFO, "took changed certificates for Vault into use");
        return true;
      }
      made.client.shutdown();
    } catch (KmsException e) {
      // Half written, most likely. The old ones go on, and the next look finds it again.
      LOG.log(Level.WARNING, "changed certificates for Vault are not used: {0}", e.describe());
    }
    return false;
  }

  private void replace(Connections hanging) {
    if (connections.compareAndSet(hanging, null)) {
      hanging.client.shutdown();
    }
  }

  @Override
  public void close() {
    Connections now = connections.getAndSet(null);
    if (now != null) {
      now.client.shutdownNow();
    }
  }
}
