package io.keyward.kms.vault;

import static java.nio.charset.StandardCharsets.ISO_8859_1;

import io.keyward.kms.remote.Deadline;
import io.keyward.kms.remote.http.Endpoint;
import io.keyward.kms.remote.http.HttpAnswer;
import io.keyward.kms.remote.http.KeptConnections;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.io.IOException;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.net.URI;
import java.util.Arrays;
import java.util.Optional;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;

/// Sends single requests to one Vault.
final class VaultHttp implements AutoCloseable {
  private static final Logger LOG = System.getLogger(VaultHttp.class.getName());

  /// One set of connections. Replaced when the certificates change.
  private record Generation(KeptConnections connections, FileStamp files) {}

  private final URI address;
  private final String host;
  private final Tls tls;
  private final AtomicReference<@Nullable Generation> generation = new AtomicReference<>();

  /// Of the server at `address`, an URI without a path.
  VaultHttp(URI address, Tls tls) {
    this.address = address;
    this.host = address.getHost().replaceAll("^\\[|]$", "");
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
    byte[] request = request(call);
    try {
      while (true) {
        KeptConnections used = generation().connections();
        try {
          HttpAnswer answer = used.exchange(request, deadline);
          Json body = Json.parse(answer.body()).orElse(Json.EMPTY);
          return new Answer(answer.status(), body, answer.date());
        } catch (IOException e) {
          if (!used.isRetired() || deadline.passed() || generation.get() == null) {
            throw ConnectionFailure.of(e, host);
          }
          // The certificates changed meanwhile: once more, with the new ones.
        }
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
      throw new KmsException(Kind.TIMEOUT, "the call was given up", e);
    } finally {
      Arrays.fill(request, (byte) 0);
    }
  }

  private byte[] request(Call call) {
    byte[] body = call.body().orElseGet(() -> new byte[0]);
    var head = new StringBuilder(512);
    head.append(call.body().isPresent() ? "POST" : "GET").append(" /v1/").append(call.path());
    head.append(" HTTP/1.1\r\n");
    header(head, "Host", address.getRawAuthority());
    // Without it, Vault's agent and proxy refuse where they are told to.
    header(head, "X-Vault-Request", "true");
    header(head, "X-Vault-Token", call.token());
    header(head, "X-Vault-Namespace", call.namespace());
    if (call.body().isPresent()) {
      header(head, "Content-Type", "application/json");
      header(head, "Content-Length", Integer.toString(body.length));
    }
    byte[] lines = head.append("\r\n").toString().getBytes(ISO_8859_1);
    byte[] whole = Arrays.copyOf(lines, lines.length + body.length);
    System.arraycopy(body, 0, whole, lines.length, body.length);
    Arrays.fill(lines, (byte) 0);
    return whole;
  }

  private static void header(StringBuilder head, String name, String value) {
    if (value.isEmpty()) {
      return;
    }
    for (int i = 0; i < value.length(); i++) {
      if (value.charAt(i) <= ' ' || value.charAt(i) > '~') {
        throw new KmsException(Kind.DENIED, "no " + name + " can have such characters");
      }
    }
    head.append(name).append(": ").append(value).append("\r\n");
  }

  private Generation generation() {
    Generation now = generation.get();
    if (now != null) {
      return now;
    }
    Generation made = connect();
    if (generation.compareAndSet(null, made)) {
      return made;
    }
    made.connections().retire();
    return generation();
  }

  private Generation connect() {
    // The stamp first: a file that changes while it is read is then read again.
    var stamp = FileStamp.of(tls.files());
    boolean secure = address.getScheme().equals("https");
    var endpoint =
        new Endpoint(
            host,
            address.getPort(),
            secure ? Optional.of(tls.context()) : Optional.empty(),
            tls.serverName());
    return new Generation(new KeptConnections(endpoint), stamp);
  }

  /// Takes new certificates into use. What is under way ends on the old connections.
  ///
  /// @return whether there were new ones
  boolean reload() {
    Generation now = generation.get();
    if (now == null) {
      return false;
    }
    now.connections().closeOld();
    if (FileStamp.of(tls.files()).equals(now.files())) {
      return false;
    }
    try {
      Generation made = connect();
      if (generation.compareAndSet(now, made)) {
        now.connections().retire();
        LOG.log(Level.INFO, "took changed certificates for Vault into use");
        return true;
      }
      made.connections().retire();
    } catch (KmsException e) {
      // Half written, most likely. The old ones go on, and the next look finds it again.
      LOG.log(Level.WARNING, "changed certificates for Vault are not used: {0}", e.describe());
    }
    return false;
  }

  @Override
  public void close() {
    Generation now = generation.getAndSet(null);
    if (now != null) {
      now.connections().close();
    }
  }
}
