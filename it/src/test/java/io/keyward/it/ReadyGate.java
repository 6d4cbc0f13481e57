package io.keyward.it;

import io.keyward.testbed.ApiServer;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;

/// A load balancer as control planes have one: new connections go to an API server that is ready.
final class ReadyGate implements AutoCloseable {
  private final List<ApiServer> servers;
  private final ServerSocket door;
  private final Set<ApiServer> ready = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  ReadyGate(List<ApiServer> servers) throws IOException {
    this.servers = servers;
    this.door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
    Thread.ofVirtual().start(this::accept);
    for (ApiServer server : servers) {
      ready.add(server);
      Thread.ofVirtual().start(() -> watch(server));
    }
  }

  URI url() {
    return URI.create("https://127.0.0.1:" + door.getLocalPort());
  }

  private void watch(ApiServer server) {
    while (!closed) {
      if (server.isReady()) {
        ready.add(server);
      } else {
        ready.remove(server);
      }
      pause();
    }
  }

  private void accept() {
    while (!closed) {
      try {
        Socket client = door.accept();
        Thread.ofVirtual().start(() -> serve(client));
      } catch (IOException e) {
        if (!closed) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void serve(Socket client) {
    for (int i = 0; i < 300 && !closed; i++) {
      for (ApiServer server : servers) {
        if (ready.contains(server)) {
          try {
            pipe(client, new Socket(server.url().getHost(), server.url().getPort()));
            return;
          } catch (IOException _) {
            ready.remove(server);
          }
        }
      }
      pause();
    }
  }

  private static void pipe(Socket one, Socket other) {
    Thread.ofVirtual().start(() -> copy(one, other));
    Thread.ofVirtual().start(() -> copy(other, one));
  }

  private static void copy(Socket from, Socket to) {
    try (from;
        to) {
      from.getInputStream().transferTo(to.getOutputStream());
    } catch (IOException _) {
      // One side ended; both are closed now.
      return;
    }
  }

  private static void pause() {
    try {
      Thread.sleep(100);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() throws IOException {
    closed = true;
    door.close();
  }
}
