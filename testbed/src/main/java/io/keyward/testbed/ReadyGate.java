package io.keyward.testbed;

import io.keyward.testbed.pki.Pki;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.stream.IntStream;

/// A load balancer as control planes have one: a new connection goes to an API server that says on
/// `/readyz` that it is ready. It has a door for each server, which leads to that server first.
public final class ReadyGate implements AutoCloseable {
  private static final int PAUSE_MILLIS = 100;
  private static final int TRIES = 300;

  private final List<URI> servers;
  private final List<ApiClient> clients = new ArrayList<>();
  private final List<ServerSocket> doors = new ArrayList<>();
  private final Set<URI> ready = ConcurrentHashMap.newKeySet();
  private volatile boolean closed;

  public ReadyGate(List<URI> servers, Pki pki) {
    this.servers = List.copyOf(servers);
    try {
      for (int i = 0; i < servers.size(); i++) {
        URI server = servers.get(i);
        var door = new ServerSocket(0, 50, InetAddress.getLoopbackAddress());
        var client = new ApiClient(server, pki.clusterCa(), pki.admin());
        doors.add(door);
        clients.add(client);
        List<URI> order = from(i);
        Thread.ofVirtual().start(() -> accept(door, order));
        Thread.ofVirtual().start(() -> watch(server, client));
      }
    } catch (IOException e) {
      throw new TestbedException("the gate cannot listen on loopback", "", e);
    }
  }

  private List<URI> from(int first) {
    return IntStream.range(0, servers.size())
        .mapToObj(i -> servers.get((first + i) % servers.size()))
        .toList();
  }

  /// The door that leads to this server first.
  public URI door(int index) {
    return URI.create("https://127.0.0.1:" + doors.get(index).getLocalPort());
  }

  public boolean isReady(int index) {
    return ready.contains(servers.get(index));
  }

  private void watch(URI server, ApiClient client) {
    while (!closed) {
      if (Readiness.saysYes(client, "/readyz")) {
        ready.add(server);
      } else {
        ready.remove(server);
      }
      pause();
    }
  }

  private void accept(ServerSocket door, List<URI> order) {
    while (!closed) {
      try {
        Socket client = door.accept();
        Thread.ofVirtual().start(() -> serve(client, order));
      } catch (IOException e) {
        if (!closed) {
          throw new UncheckedIOException(e);
        }
      }
    }
  }

  private void serve(Socket client, List<URI> order) {
    for (int i = 0; i < TRIES && !closed; i++) {
      for (URI server : order) {
        if (ready.contains(server)) {
          try {
            var ahead = new Socket(server.getHost(), server.getPort());
            // Each half of a request would else wait for an acknowledgement of the other.
            client.setTcpNoDelay(true);
            ahead.setTcpNoDelay(true);
            pipe(client, ahead);
            return;
          } catch (IOException _) {
            ready.remove(server);
          }
        }
      }
      pause();
    }
    shut(client);
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

  private static void shut(Socket socket) {
    try {
      socket.close();
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE_MILLIS);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  @Override
  public void close() {
    closed = true;
    try {
      for (ServerSocket door : doors) {
        door.close();
      }
    } catch (IOException e) {
      throw new UncheckedIOException(e);
    }
    clients.forEach(ApiClient::close);
  }
}
