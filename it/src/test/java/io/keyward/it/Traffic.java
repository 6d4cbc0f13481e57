package io.keyward.it;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.kube.Api;
import io.keyward.kube.ClusterFailure;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicLong;

/// A reader and a writer that never rest. A connection that breaks is tried again, as every client
/// of Kubernetes does; an answer that is not good counts as failed.
final class Traffic implements AutoCloseable {
  private static final String SECRETS = "/api/v1/namespaces/default/secrets/";

  private final Api api;
  private final AtomicLong done = new AtomicLong();
  private final List<String> failed = new CopyOnWriteArrayList<>();
  private volatile boolean ended;

  Traffic(Api api) {
    this.api = api;
    Thread.ofVirtual().start(() -> forever(_ -> api.get(SECRETS + "s-1").orElseThrow()));
    Thread.ofVirtual().start(() -> forever(this::write));
  }

  private interface Request {
    ObjectNode send(long number);
  }

  private ObjectNode write(long number) {
    ObjectNode patch = new ObjectMapper().createObjectNode();
    patch.putObject("stringData").put("at", Long.toString(number));
    return api.mergePatch(SECRETS + "s-2", patch);
  }

  private void forever(Request request) {
    long number = 0;
    int broken = 0;
    while (!ended) {
      try {
        request.send(number++);
        done.incrementAndGet();
        broken = 0;
        Thread.sleep(20);
      } catch (ClusterFailure e) {
        if (e.status() != 0 || ++broken > 5) {
          failed.add(e.getMessage());
        }
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        return;
      }
    }
  }

  long done() {
    return done.get();
  }

  List<String> failed() {
    return failed;
  }

  @Override
  public void close() {
    ended = true;
  }
}
