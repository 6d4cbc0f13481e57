package io.keyward.kms.vault;

import io.keyward.http.Endpoint;
import io.keyward.http.HttpAnswer;
import io.keyward.http.HttpRequest;
import io.keyward.http.KeptConnections;
import io.keyward.kms.remote.Deadline;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import io.keyward.kms.vault.tls.FileStamp;
import io.keyward.kms.vault.tls.Tls;
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

  /// More than Vault has to say about one key, or to a batch.
  private static final int LONGEST = 256 * 1024;

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
          HttpAnswer answer = used.exchange(request, deadline.limit());
          VaultJson body = VaultJson.parse(answer.body()).orElse(VaultJson.EMPTY);
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
    String method = call.body().isPresent() ? "POST" : "GET";
    try {
      var request =
          new HttpRequest(method, "/v1/" + call.path(), address.getRawAuthority())
              // Without it, Vault's agent and proxy refuse where they are told to.
              .header("X-Vault-Request", "true")
              .header("X-Vault-Token", call.token())
              .header("X-Vault-Namespace", call.namespace());
      return call.body()
          .map(body -> request.bytes("application/json", body))
          .orElseGet(request::bytes);
    } catch (IllegalArgumentException e) {
      throw new KmsException(Kind.DENIED, String.valueOf(e.getMessage()));
    }
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
            tls.serverName(),
            LONGEST);
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

  /// How many connections were opened since the certificates were read last.
  long opened() {
    Generation now = generation.get();
    return now == null ? 0 : now.connections().opened();
  }

  @Override
  public void close() {
    Generation now = generation.getAndSet(null);
    if (now != null) {
      now.connections().close();
    }
  }
}
