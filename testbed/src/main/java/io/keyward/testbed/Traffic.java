package io.keyward.testbed;

import io.keyward.testbed.ApiClient.Answer;
import io.keyward.testbed.process.TestbedException;
import io.keyward.testbed.process.Waiting;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;

/// A reader and a writer that never rest, for each API server of a cluster.
///
/// The writer counts upwards, and the reader fails where it sees less than what was accepted before
/// it asked. As clients of Kubernetes do, both try again where a connection breaks or the server
/// asks for patience; every other answer that is not good counts as failed.
public final class Traffic implements AutoCloseable {
  private static final Duration PAUSE = Duration.ofMillis(150);
  private static final int PATIENCE = 20;
  private static final int UNAVAILABLE = 503;
  private static final String BROKEN_BEHIND = "error trying to reach service: ";

  private final List<Thread> threads = new ArrayList<>();
  private final List<ApiClient> clients = new ArrayList<>();
  private final AtomicLong reads = new AtomicLong();
  private final AtomicLong writes = new AtomicLong();
  private final AtomicLong broken = new AtomicLong();
  private final AtomicLong patient = new AtomicLong();
  private final AtomicLong forgiven = new AtomicLong();
  private final List<AtomicLong> progress = new ArrayList<>();
  private final List<String> failed = new CopyOnWriteArrayList<>();
  private volatile boolean forgiving;
  private volatile boolean ended;

  public Traffic(ManagedCluster cluster) {
    for (int i = 0; i < ManagedCluster.NODES; i++) {
      begin(cluster.client(i), Written.SECRETS, "traffic-" + i);
    }
  }

  private Traffic(ApiClient client, Written kind) {
    begin(client, kind, "traffic");
  }

  /// For the Secrets of a cluster behind one address.
  public static Traffic ofSecrets(ApiClient client) {
    return new Traffic(client, Written.SECRETS);
  }

  /// For the flunders of the aggregated API server of a cluster.
  public static Traffic ofFlunders(ApiClient client) {
    return new Traffic(client, Written.FLUNDERS);
  }

  private void begin(ApiClient client, Written kind, String name) {
    clients.add(client);
    Answer made = client.post(kind.path(), kind.json(name, 0));
    if (!made.isOk()) {
      throw new TestbedException("the API server refused an object", made.body());
    }
    var accepted = new AtomicLong();
    var seen = new AtomicLong();
    progress.add(accepted);
    progress.add(seen);
    threads.add(Thread.ofVirtual().start(() -> write(client, kind, name, accepted)));
    threads.add(Thread.ofVirtual().start(() -> read(client, kind, name, accepted, seen)));
  }

  private interface Request {
    Answer send();
  }

  private void write(ApiClient client, Written kind, String name, AtomicLong accepted) {
    String path = kind.path() + "/" + name;
    for (long n = 1; !ended; n++) {
      String body = kind.json(name, n);
      if (insist("write of " + path, () -> client.mergePatch(path, body)) != null) {
        accepted.set(n);
        writes.incrementAndGet();
      }
    }
  }

  private void read(
      ApiClient client, Written kind, String name, AtomicLong accepted, AtomicLong seen) {
    String path = kind.path() + "/" + name;
    while (!ended) {
      long least = accepted.get();
      Answer answer = insist("read of " + path, () -> client.get(path));
      if (answer != null) {
        reads.incrementAndGet();
        seen.incrementAndGet();
        long found = kind.number(answer.body());
        if (found < least) {
          failed.add(path + " lost a write: " + found + " is less than " + least);
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
        if (isBrokenBehind(answer)) {
          broken.incrementAndGet();
        } else if (answer.asksForPatience()) {
          patient.incrementAndGet();
        } else {
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

  /// How a kube-apiserver tells that its own connection to an aggregated API server broke. It does
  /// not send a write again that was under way when a pod ended.
  private static boolean isBrokenBehind(Answer answer) {
    return answer.status() == UNAVAILABLE && answer.body().startsWith(BROKEN_BEHIND);
  }

  private static void pause() {
    try {
      Thread.sleep(PAUSE);
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  /// Whether every single reader and writer succeeds again within this time. One that ended, or
  /// that an API server does not serve, would show in no sum.
  public boolean isServedEverywhere(Duration limit) {
    List<Long> before = progress.stream().map(AtomicLong::get).toList();
    return Waiting.until(
        () ->
            IntStream.range(0, before.size()).allMatch(i -> progress.get(i).get() > before.get(i)),
        limit);
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

  /// Connections that broke and were tried again, also between a kube-apiserver and the aggregated
  /// API server.
  public long broken() {
    return broken.get();
  }

  /// Answers that named a time after which to ask again, and were obeyed.
  public long patient() {
    return patient.get();
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
