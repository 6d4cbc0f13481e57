package io.keyward.dev.demo;

import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.testbed.process.TestbedException;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import java.util.function.BiPredicate;

/// Tells what changes until everything is stored as it should be: nodes by revision, resources by
/// how many of their objects are done. What is done is read from etcd, not from the operator's
/// word.
final class DemoProgress {
  static final List<String> RESOURCES = List.of("secrets", "configmaps");

  private static final Duration LIMIT = Duration.ofMinutes(10);
  private static final Duration PAUSE = Duration.ofSeconds(1);

  private final Story story;
  private final Admin admin;
  private final DemoSecrets secrets;
  private final Map<String, String> told = new TreeMap<>();

  DemoProgress(Story story, Admin admin, DemoSecrets secrets) {
    this.story = story;
    this.admin = admin;
    this.secrets = secrets;
  }

  /// Until every stored value is as wanted, by resource and value.
  void until(BiPredicate<String, String> wanted) {
    told.clear();
    long end = System.nanoTime() + LIMIT.toNanos();
    while (System.nanoTime() < end) {
      try {
        boolean done = look(wanted);
        if (done) {
          return;
        }
        Thread.sleep(PAUSE);
      } catch (TestbedException _) {
        // An API server that just left; the next look goes to another.
        told.put("trouble", "");
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
        throw new TestbedException("interrupted", "", e);
      }
    }
    throw new TestbedException(
        "not done after " + LIMIT.toMinutes() + " minutes: " + admin.status().path("conditions"),
        "run it again with --keep DIR and look at the logs");
  }

  private boolean look(BiPredicate<String, String> wanted) {
    for (JsonNode node : admin.status().path("nodeStatuses")) {
      long current = node.path("currentRevision").asLong(0);
      long target = node.path("targetRevision").asLong(0);
      tell(
          node.path("nodeName").asText(),
          target > current
              ? "revision " + current + " -> " + target
              : "runs revision " + current + (node.path("ready").asBoolean() ? "" : ", not ready"));
    }
    boolean all = true;
    for (String resource : RESOURCES) {
      Map<String, String> stored = secrets.stored(resource);
      long done = stored.values().stream().filter(value -> wanted.test(resource, value)).count();
      tell(resource, done + " of " + stored.size());
      all &= done == stored.size();
    }
    return all;
  }

  private void tell(String what, String state) {
    String before = told.put(what, state);
    if (!state.equals(before)) {
      story.tell(what + ": " + state);
    }
  }
}
