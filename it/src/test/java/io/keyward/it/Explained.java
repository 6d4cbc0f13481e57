package io.keyward.it;

import com.fasterxml.jackson.databind.JsonNode;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.StreamSupport;

/// Looks all the time whether a state that is not the wanted one is explained.
final class Explained implements AutoCloseable {
  /// Between two looks of the operator nobody can say anything.
  private static final Duration SILENCE = Duration.ofSeconds(20);

  private final Admin admin;
  private final List<String> unexplained = new ArrayList<>();
  private int looks;
  private final Thread thread;
  private volatile boolean ended;

  Explained(Admin admin) {
    this.admin = admin;
    this.thread = Thread.ofVirtual().start(this::look);
  }

  private void look() {
    long last = System.nanoTime();
    while (!ended) {
      try {
        JsonNode status = admin.operator().path("status");
        looks++;
        if (isAtRest(status) || isExplained(status)) {
          last = System.nanoTime();
        } else if (System.nanoTime() - last > SILENCE.toNanos()) {
          unexplained.add(status.toPrettyString());
          last = System.nanoTime();
        }
        Thread.sleep(500);
      } catch (InterruptedException _) {
        return;
      } catch (RuntimeException | AssertionError e) {
        // A look that ended early would have found nothing.
        unexplained.add("could not look any more: " + e);
        return;
      }
    }
  }

  private static boolean isAtRest(JsonNode status) {
    long latest = status.path("latestAvailableRevision").asLong();
    return latest == 0
        || StreamSupport.stream(status.path("nodeStatuses").spliterator(), false)
            .allMatch(node -> node.path("currentRevision").asLong() == latest);
  }

  /// Something other than "all is well" stands there, with words.
  private static boolean isExplained(JsonNode status) {
    for (JsonNode one : status.path("conditions")) {
      boolean speaks =
          one.path("type").asText().matches(".*(Degraded|Progressing|Waiting)")
              ? one.path("status").asText().equals("True")
              : one.path("type").asText().equals("Encrypted")
                  && one.path("status").asText().equals("False");
      if (speaks && !one.path("message").asText().isEmpty()) {
        return true;
      }
    }
    return false;
  }

  /// Ends, and tells what it found.
  List<String> unexplained() {
    close();
    if (looks == 0) {
      unexplained.add("never looked");
    }
    return unexplained;
  }

  @Override
  public void close() {
    ended = true;
    try {
      thread.join();
    } catch (InterruptedException _) {
      Thread.currentThread().interrupt();
    }
  }
}
