package io.keyward.testbed;

import com.fasterxml.jackson.databind.ObjectMapper;
import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.process.TestbedException;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;

/// A reader and a writer that never rest, for each API server of a managed cluster.
///
/// The writer counts upwards, and the reader fails where it sees less than what was accepted before
/// it asked. As clients of Kubernetes do, both try again where a connection breaks or the server
/// asks for patience; every other answer that is not good counts as failed.
public final class Traffic implements AutoCloseable {
  private static final String SECRETS = "/api/v1/namespaces/default/secrets";
  private static final Duration PAUSE = Duration.ofMillis(50);
  private static final int BUSY = 429;
  private static final int PATIENCE = 20;

  private final List<Thread> threads = new ArrayList<>();
  private final List<ApiClient> clients = new ArrayList<>();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong broken = new AtomicLong();
  private final AtomicLong forgiven = new AtomicLong();
  private final List<String> failed = new CopyOnWriteArrayList<>();
  private volatile boolean forgiving;
  private volatile boolean ended;

  public Traffic(ManagedCluster cluster) {
    for (int i = 0; i < ManagedCluster.NODES; i++) {
      String name = "traffic-" + i;
      ApiClient client = cluster.client(i);
      clients.add(client);
      Answer made = client.post(SECRETS, json(name, 0));
      if (!made.isOk()) {
        throw new TestbedException("the API server refused a secret", made.body());
      }
      var accepted = new AtomicLong();
      threads.add(Thread.ofVirtual().start(() -> write(client, name, accepted)));
      threads.add(Thread.ofVirtual().start(() -> read(client, name, accepted)));
    }
  }

  private static String json(String name, long number) {
    return "{\"apiVersion\":\"v1\",\"kind\":\"Secret\",\"metadata\":{\"name\":\"%s\"},\"data\":{\"n\":\"%s\"}}"
        .formatted(
            name,
            Base64.getEncoder()
                .encodeToString(Long.toString(number).getBytes(StandardCharsets.US_ASCII)));
  }

  private static long number(String body) {
    try {
      byte[] value = new ObjectMapper().readTree(body).at("/data/n").binaryValue();
      return Long.parseLong(new String(value, StandardCharsets.US_ASCII));
    } catch (IOException e) {
      throw new TestbedException("the API server sent no secret", "", e);
    }
  }

  private interface Request {
    Answer send();
  }

  private void write(ApiClient client, String name, AtomicLong accepted) {
    for (long n = 1; !ended; n++) {
      String body = json(name, n);
      if (insist("write", () -> client.mergePatch(SECRETS + "/" + name, body)) != null) {
        accepted.set(n);
        writes.incrementAndGet();
      }
    }
  }

  private void read(ApiClient client, String name, AtomicLong accepted) {
    while (!ended) {
      long least = accepted.get();
      Answer answer = insist("read", () -> client.get(SECRETS + "/" + name));
      if (answer != null) {
        reads.incrementAndGet();
        if (number(answer.body()) < least) {
          failed.add(name + " lost a write: " + number(answer.body()) + " is less than " + least);
        }
      }
    }
  }

  /// Null where it failed.
  private @Nullable Answer insist(String what, Request request) {
    String last = "";
    for (int i = 0; i < PATIENCE && !ended; i++) {
      pause();
      try {
        Answer answer = request.send();
        if (answer.isOk()) {
          return answer;
        }
        last = what + " was answered with " + answer.status() + ": " + answer.body();
        if (answer.status() != BUSY) {
          break;
        }
      } catch (TestbedException _) {
        broken.incrementAndGet();
        last = what + ": the connection broke again and again";
      }
    }
    if (!ended && forgiving) {
      forgiven.incrementAndGet();
    } else if (!ended) {
      failed.add(last);
    }
    return null;
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// While what all depends on is down, failures count apart.
  public void forgive(boolean now) {
    forgiving = now;
  }

  public long reads() {
    return reads.get();
  }

  public long writes() {
    return writes.get();
  }

  /// Connections that broke and were tried again.
  public long broken() {
    return broken.get();
  }

  public long forgiven() {
    return forgiven.get();
  }

  public List<String> failed() {
    return failed;
  }

  /// Returns when the last request was answered.
  public void stop() {
    ended = true;
    for (Thread thread : threads) {
      try {
        thread.join();
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  @Override
  public void close() {
    stop();
    clients.forEach(ApiClient::close);
  }
}
