package io.keyward.http;

import java.io.IOException;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.net.StandardSocketOptions;
import java.net.UnknownHostException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import javax.net.ssl.SSLSocket;
import org.jspecify.annotations.Nullable;

/// One connection and the call that uses it. Knows no time limit of its own: whoever watches it
/// closes it when its limit has passed, and that ends every wait in it.
final class Connection {
  /// Below what balancers allow an idle connection, which is a minute with many.
  private static final long IDLE_NANOS = 50_000_000_000L;

  private final Endpoint endpoint;
  private volatile TimeLimit limit;
  private volatile Socket socket = new Socket();
  private volatile boolean closed;
  private @Nullable Wire wire;
  private long lastUse;

  /// Both directions of a connection that is open.
  private record Wire(OutputStream out, HttpAnswerReader reader) {
    Wire(Socket socket, int maxBody) throws IOException {
      this(socket.getOutputStream(), new HttpAnswerReader(socket.getInputStream(), maxBody));
    }
  }

  Connection(Endpoint endpoint, TimeLimit limit) {
    this.endpoint = endpoint;
    this.limit = limit;
  }

  void use(TimeLimit next) {
    limit = next;
  }

  boolean isFresh() {
    return !closed && System.nanoTime() - lastUse < IDLE_NANOS;
  }

  /// Whether any byte of an answer to the last request came.
  boolean wasAnswered() {
    return wire != null && wire.reader().hasBegun();
  }

  /// One request, one answer. Connects first if it never did.
  HttpAnswer exchange(byte[] request) throws IOException, InterruptedException {
    Wire open = wire;
    if (open == null) {
      open = connect();
      wire = open;
    }
    open.out().write(request); // in one piece: one TLS record, one packet
    open.out().flush();
    HttpAnswer answer = open.reader().read();
    lastUse = System.nanoTime();
    return answer;
  }

  private Wire connect() throws IOException, InterruptedException {
    Socket plain = connected(lookUp());
    if (endpoint.tls().isEmpty()) {
      return new Wire(plain, endpoint.maxBody());
    }
    var factory = endpoint.tls().get().getSocketFactory();
    var tls = (SSLSocket) factory.createSocket(plain, endpoint.tlsName(), endpoint.port(), true);
    var parameters = tls.getSSLParameters();
    parameters.setEndpointIdentificationAlgorithm("HTTPS");
    tls.setSSLParameters(parameters);
    tls.startHandshake();
    return new Wire(tls, endpoint.maxBody());
  }

  /// On a thread of its own, since a resolver cannot be interrupted.
  private InetAddress[] lookUp() throws IOException, InterruptedException {
    var found = new CompletableFuture<InetAddress[]>();
    Thread.ofPlatform()
        .daemon()
        .name("name-of-server")
        .start(() -> {
          try {
            found.complete(endpoint.addresses());
          } catch (IOException e) {
            found.completeExceptionally(e);
          }
        });
    try {
      return found.get(limit.left().toNanos(), TimeUnit.NANOSECONDS);
    } catch (ExecutionException | TimeoutException e) {
      var unknown = new UnknownHostException(endpoint.host());
      unknown.initCause(e);
      throw unknown;
    }
  }

  /// To the first address that answers. Each one has its share of the time.
  private Socket connected(InetAddress[] addresses) throws IOException {
    for (int i = 0; ; i++) {
      Socket plain = new Socket();
      socket = plain;
      if (closed) {
        plain.close();
      }
      try {
        plain.setOption(StandardSocketOptions.TCP_NODELAY, true);
        long share = limit.left().toMillis() / (addresses.length - i);
        plain.connect(
            new InetSocketAddress(addresses[i], endpoint.port()), (int) Math.max(1, share));
        return plain;
      } catch (IOException e) {
        plain.close();
        if (i + 1 >= addresses.length || limit.passed()) {
          throw e;
        }
      }
    }
  }

  /// Without TLS's good-bye, which could wait for a server that hangs.
  void close() {
    closed = true;
    try {
      socket.close();
    } catch (IOException _) {
      // it is gone either way
    }
  }
}
