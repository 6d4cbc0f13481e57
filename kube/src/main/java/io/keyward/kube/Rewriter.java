package io.keyward.kube;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.node.ObjectNode;
import io.keyward.core.model.Resource;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Makes an API server store every object of one resource again, page by page.
///
/// Only metadata travels: the list asks for nothing else, and a patch that names the observed
/// version makes the API server rewrite what is stored under an old key. Content never passes here.
final class Rewriter {
  private static final int PAGE = 500;
  private static final int TRIES = 12;
  private static final int NARROW = 4;
  private static final int WIDE = 32;
  private static final String METADATA =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  private final Api api;
  private final String root;
  private final String name;
  private int width = NARROW * 2;
  private double best = Double.MAX_VALUE;

  Rewriter(Api api, Resource resource) {
    this.api = api;
    this.name = resource.name();
    this.root = resource.group().isEmpty() ? "/api/v1" : root(api, resource.group());
  }

  private static String root(Api api, String group) {
    return api.get("/apis/" + group)
        .map(found -> "/apis/" + found.at("/preferredVersion/groupVersion").asText())
        .orElseThrow(() -> new ClusterFailure("no API group " + group, 404));
  }

  /// From the object after `position`, in the order of the list.
  void run(String position, Migrator.Progress progress) throws InterruptedException {
    String reached = position;
    String next = "";
    long done = 0;
    do {
      Api.Answer answer =
          patiently("GET", root + "/" + name + "?limit=" + PAGE + next(next), METADATA, "");
      if (answer.status() == 410) {
        // The list is too old to go on with: begin a new one, and skip what is done.
        next = "";
        done = 0;
        continue;
      }
      JsonNode page = json(answer);
      var items = new ArrayList<JsonNode>();
      for (JsonNode item : page.path("items")) {
        done++;
        if (place(item).compareTo(reached) > 0) {
          items.add(item);
        }
      }
      rewrite(items);
      if (!items.isEmpty()) {
        reached = place(items.getLast());
      }
      progress.at(reached, done, done + page.at("/metadata/remainingItemCount").asLong(0));
      next = page.at("/metadata/continue").asText("");
    } while (!next.isEmpty());
  }

  private static String next(String token) {
    return token.isEmpty() ? "" : "&continue=" + token;
  }

  /// As etcd orders them: `namespace/name`.
  private static String place(JsonNode item) {
    String namespace = item.at("/metadata/namespace").asText("");
    return (namespace.isEmpty() ? "" : namespace + "/") + item.at("/metadata/name").asText();
  }

  private void rewrite(List<JsonNode> items) throws InterruptedException {
    if (items.isEmpty()) {
      return;
    }
    var slots = new Semaphore(width);
    long begun = System.nanoTime();
    try (var threads = Executors.newVirtualThreadPerTaskExecutor()) {
      var all = new ArrayList<Future<?>>();
      for (JsonNode item : items) {
        slots.acquire();
        all.add(
            threads.submit(() -> {
              try {
                rewrite(item);
              } finally {
                slots.release();
              }
              return item;
            }));
      }
      for (Future<?> one : all) {
        one.get();
      }
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new ClusterFailure("a migration failed", e);
    }
    adapt((System.nanoTime() - begun) / (double) items.size() * width);
  }

  /// Wider while single requests do not get slower by it, narrower when they do.
  private void adapt(double latency) {
    best = Math.min(best, latency);
    width = latency > 2 * best ? Math.max(NARROW, width / 2) : Math.min(WIDE, width + NARROW);
  }

  private void rewrite(JsonNode item) throws InterruptedException {
    JsonNode seen = item.path("metadata");
    ObjectNode patch = Api.JSON.createObjectNode();
    patch
        .putObject("metadata")
        .put("uid", seen.path("uid").asText())
        .put("resourceVersion", seen.path("resourceVersion").asText());
    String namespace = seen.path("namespace").asText("");
    String path =
        root
            + (namespace.isEmpty() ? "" : "/namespaces/" + namespace)
            + "/"
            + name
            + "/"
            + seen.path("name").asText();
    Api.Answer answer = patiently("PATCH", path, "application/merge-patch+json", patch.toString());
    // Gone needs nothing; whoever was faster wrote it under the new key.
    if (!answer.isOk() && answer.status() != 404 && answer.status() != 409) {
      throw new ClusterFailure(
          "rewriting " + name + " " + place(item) + " was answered with " + answer.status(),
          answer.status());
    }
  }

  private Api.Answer patiently(String method, String path, String type, String body)
      throws InterruptedException {
    for (int attempt = 1; ; attempt++) {
      Duration pause = Duration.ofMillis(Math.min(10_000, 100L << attempt));
      try {
        Api.Answer answer = api.once(method, path, type, body);
        boolean busy = answer.status() == 429 || answer.status() >= 500;
        if (!busy || attempt == TRIES) {
          return answer;
        }
        pause = answer.retryAfter().orElse(pause);
      } catch (ClusterFailure e) {
        if (attempt == TRIES || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
      Thread.sleep(pause);
    }
  }

  private static JsonNode json(Api.Answer answer) {
    try {
      if (answer.isOk()) {
        return Api.JSON.readTree(answer.body());
      }
    } catch (JsonProcessingException e) {
      throw new ClusterFailure("a list is not JSON", e);
    }
    throw new ClusterFailure("a list was answered with " + answer.status(), answer.status());
  }
}
