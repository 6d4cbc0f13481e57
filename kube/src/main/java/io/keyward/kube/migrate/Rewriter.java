package io.keyward.kube.migrate;

import com.fasterxml.jackson.core.JsonProcessingException;
import com.fasterxml.jackson.databind.JsonNode;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.model.Resource;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.Backoff;
import io.keyward.kube.client.ClusterFailure;
import io.keyward.kube.client.DirectHttp;
import io.keyward.kube.client.Discovery;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.Future;
import java.util.concurrent.Semaphore;

/// Makes an API server store every object of one resource again, page by page.
///
/// Only metadata travels: the list asks for nothing else, and a patch that names the observed
/// version makes the API server rewrite what is stored under an old key. Content never passes here.
public final class Rewriter {
  private static final Logger LOG = System.getLogger(Rewriter.class.getName());
  private static final int SMALLEST_PAGE = 50;
  private static final int LARGEST_PAGE = 500;
  private static final int TRIES = 12;

  /// A quota that changes meanwhile, or a namespace that is just being created, passes.
  private static final int REFUSALS = 4;

  private static final Duration FIRST_LOOK = Duration.ofMillis(200);
  private static final Duration LOOK = Duration.ofMillis(500);
  private static final Duration LONGEST_PAUSE = Duration.ofMinutes(2);
  private static final String LIST =
      "application/json;as=PartialObjectMetadataList;g=meta.k8s.io;v=v1";

  /// Nobody reads what is answered; this is what costs the API server least.
  private static final String ONE =
      "application/vnd.kubernetes.protobuf;as=PartialObjectMetadata;g=meta.k8s.io;v=v1,"
          + "application/json;as=PartialObjectMetadata;g=meta.k8s.io;v=v1";

  private static final String TEXT = "text/plain";
  private static final String PATCH = "application/merge-patch+json";

  private final MigratorAccount account;
  private final Api api;
  private final String root;
  private final String name;
  private final ConcurrencyLimit pace;
  private final ForeignLoad others;
  private final Semaphore slots = new Semaphore(1);
  private Optional<DirectHttp> direct = Optional.empty();
  private int width = 1;
  private volatile int size = SMALLEST_PAGE * 2;

  Rewriter(MigratorAccount account, Resource resource, ConcurrencyLimit pace, ForeignLoad others) {
    this.account = account;
    this.api = account.api();
    this.name = resource.name();
    this.root = Discovery.root(api, resource);
    this.pace = pace;
    this.others = others;
  }

  /// How far a run is.
  ///
  /// @param next where the list goes on; empty where it begins
  /// @param place the last object that was rewritten, for where `next` is of no use any more
  record Position(String next, String place, long done, long total) {
    static final Position BEGIN = new Position("", "", 0, 0);
  }

  /// Is told after every page.
  interface Listener {
    void at(Position position);
  }

  /// What is to be rewritten next.
  ///
  /// @param end how far the run is after that
  private record Page(List<JsonNode> items, Position end) {}

  /// From where an earlier run stopped to the end.
  void run(Position from, Listener listener) throws InterruptedException {
    direct = api.direct();
    lookForOthers();
    if (others.word().equals(ForeignLoad.NOT_TOLD)) {
      LOG.log(
          Level.WARNING,
          "the API server does not tell whether others use it, so "
              + name
              + " are rewritten as slowly as if they did; keyward operator install, run by an"
              + " admin, gives the right to ask");
    }
    try (ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor()) {
      Future<?> watch = threads.submit(this::watchOthers);
      try {
        run(from, listener, threads);
      } catch (InterruptedException e) {
        // Whoever is told to stop must not go on rewriting until the last of these is done.
        threads.shutdownNow();
        throw e;
      } finally {
        watch.cancel(true);
      }
    } finally {
      direct.ifPresent(DirectHttp::close);
    }
  }

  private void run(Position from, Listener listener, ExecutorService threads)
      throws InterruptedException {
    Page page = list(from);
    Future<?> written = CompletableFuture.completedFuture(page);
    while (true) {
      Page now = page;
      boolean last = now.end().next().isEmpty();
      // The list would else be waited for by all who rewrite.
      Optional<Future<Page>> next =
          last ? Optional.empty() : Optional.of(threads.submit(() -> list(now.end())));
      long begun = System.nanoTime();
      List<Future<?>> items = begin(now.items(), threads);
      // Whoever hangs at the end of a page holds up neither the next page nor the word of the one
      // before; pages are written down in their order.
      var _ = done(written);
      written =
          threads.submit(() -> {
            end(items, begun);
            listener.at(now.end());
            return now;
          });
      if (next.isEmpty()) {
        break;
      }
      page = done(next.get());
    }
    var _ = done(written);
  }

  /// Until it is interrupted.
  private Void watchOthers() throws InterruptedException {
    for (Duration pause = FIRST_LOOK; ; pause = LOOK) {
      Thread.sleep(pause);
      lookForOthers();
    }
  }

  private void lookForOthers() {
    others.seen(requestsLetIn(), api.sent(), System.nanoTime());
    pace.beside(others.present());
  }

  private OptionalLong requestsLetIn() {
    try {
      Api.Answer answer = api.once("GET", ForeignLoad.PATH, TEXT, TEXT, "");
      return answer.isOk() ? ForeignLoad.parse(answer.body()) : OptionalLong.empty();
    } catch (ClusterFailure _) {
      return OptionalLong.empty();
    }
  }

  private Page list(Position at) throws InterruptedException {
    account.renewIfDue();
    String query = "?limit=" + size + (at.next().isEmpty() ? "" : "&continue=" + at.next());
    Api.Answer answer = patiently("GET", root + "/" + name + query, LIST, LIST, "");
    if (!at.next().isEmpty() && (answer.status() == 410 || answer.status() == 400)) {
      // The list became too old. The server names a place to go on from at its present state, which
      // is as good: what was made since was made under the new key. Else begin, and skip what is
      // done; so too where another release of the server cannot read the place.
      return list(new Position(continued(answer), at.place(), at.done(), at.total()));
    }
    JsonNode list = json(answer);
    boolean again = at.next().isEmpty();
    long passed = again ? 0 : at.done();
    String place = at.place();
    var items = new ArrayList<JsonNode>();
    for (JsonNode item : ObjectMeta.items(list)) {
      passed++;
      if (place(item).compareTo(at.place()) > 0) {
        items.add(item);
        place = place(item);
      }
    }
    String next = ObjectMeta.next(list);
    long rest = ObjectMeta.rest(list);
    long done = Math.max(passed, at.done());
    long total = next.isEmpty() ? done : Math.max(passed + rest, at.total());
    return new Page(items, new Position(next, place, done, total));
  }

  private static String continued(Api.Answer expired) {
    try {
      return ObjectMeta.next(Api.JSON.readTree(expired.body()));
    } catch (JsonProcessingException _) {
      return "";
    }
  }

  /// As etcd orders them: `namespace/name`.
  private static String place(JsonNode item) {
    String namespace = ObjectMeta.namespace(item);
    return (namespace.isEmpty() ? "" : namespace + "/") + ObjectMeta.name(item);
  }

  /// Returns as soon as every one is under way.
  private List<Future<?>> begin(List<JsonNode> items, ExecutorService threads)
      throws InterruptedException {
    var all = new ArrayList<Future<?>>();
    for (JsonNode item : items) {
      keepPace();
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
    return all;
  }

  private void end(List<Future<?>> items, long begun) throws InterruptedException {
    for (Future<?> one : items) {
      var _ = done(one);
    }
    if (!items.isEmpty()) {
      // About a second for each page: two of them at most are done twice after a crash. ForeignLoad
      // wait
      // for the API server to read a page, so theirs is shorter.
      double perSecond = items.size() / ((System.nanoTime() - begun) / 1e9);
      size =
          others.present()
              ? SMALLEST_PAGE
              : (int) Math.clamp(perSecond, SMALLEST_PAGE, LARGEST_PAGE);
    }
  }

  private static <T> T done(Future<T> one) throws InterruptedException {
    try {
      return one.get();
    } catch (ExecutionException e) {
      throw e.getCause() instanceof RuntimeException cause
          ? cause
          : new ClusterFailure("a migration failed", e);
    }
  }

  private void keepPace() throws InterruptedException {
    int wanted = pace.width();
    while (width < wanted) {
      slots.release();
      width++;
    }
    while (width > wanted) {
      slots.acquire();
      width--;
    }
  }

  private void rewrite(JsonNode item) throws InterruptedException {
    String patch = ObjectMeta.unchanged(item).toString();
    String namespace = ObjectMeta.namespace(item);
    String all = root + (namespace.isEmpty() ? "" : "/namespaces/" + namespace) + "/" + name;
    String object = ObjectMeta.name(item);
    for (int refused = 1; ; refused++) {
      Api.Answer answer = patiently("PATCH", all + "/" + object, PATCH, ONE, patch);
      if (answer.isOk()) {
        return;
      }
      if (answer.status() != 404 && answer.status() != 409) {
        throw new ClusterFailure(
            "rewriting "
                + name
                + " "
                + place(item)
                + " was answered with "
                + answer.status()
                + RefusedRewrite.remedy(answer.status(), answer.body()),
            answer.status());
      }
      // Admission answers so too. Only the object itself shows whether somebody else wrote it.
      Optional<String> problem = RefusedRewrite.problem(item, now(all, object), answer.status());
      if (problem.isEmpty()) {
        return;
      }
      if (refused == REFUSALS) {
        throw new ClusterFailure(
            name + " " + place(item) + " " + problem.orElseThrow(), answer.status());
      }
      Thread.sleep(Backoff.pause(Optional.empty(), refused, LONGEST_PAUSE));
    }
  }

  /// The metadata of one object; absent where it is gone. A list needs no permission that the
  /// migrator does not have already, and is read from etcd.
  private Optional<JsonNode> now(String all, String object) throws InterruptedException {
    String query = "?fieldSelector=metadata.name%3D" + object;
    return ObjectMeta.items(json(patiently("GET", all + query, LIST, LIST, ""))).stream()
        .filter(item -> ObjectMeta.name(item).equals(object))
        .findFirst()
        .map(JsonNode.class::cast);
  }

  /// A server that asks for patience is asked again for as long as it takes; one that fails is not.
  private Api.Answer patiently(String method, String path, String type, String accept, String body)
      throws InterruptedException {
    int failures = 0;
    for (int vain = 0; ; vain++) {
      Optional<Duration> asked = Optional.empty();
      long begun = System.nanoTime();
      try {
        Api.Answer answer = once(method, path, type, accept, body);
        boolean busy = answer.status() == 429 || answer.retryAfter().isPresent();
        if (!busy && answer.status() < 500) {
          if (method.equals("PATCH")) {
            pace.took(System.nanoTime() - begun);
          }
          return answer;
        }
        pace.refused();
        failures += busy ? 0 : 1;
        if (failures == TRIES) {
          return answer;
        }
        asked = answer.retryAfter();
      } catch (ClusterFailure e) {
        failures++;
        pace.refused();
        if (failures == TRIES || Thread.currentThread().isInterrupted()) {
          throw e;
        }
      }
      Thread.sleep(Backoff.pause(asked, vain, LONGEST_PAUSE));
    }
  }

  private Api.Answer once(String method, String path, String type, String accept, String body)
      throws InterruptedException {
    Api.Answer answer =
        direct.isPresent() && method.equals("PATCH")
            ? direct.orElseThrow().send(method, path, type, accept, body, Api.TIMEOUT)
            : api.once(method, path, type, accept, body);
    if (answer.status() != 401) {
      return answer;
    }
    account.rejected();
    return api.once(method, path, type, accept, body);
  }

  private static JsonNode json(Api.Answer answer) {
    try {
      if (answer.isOk()) {
        return Api.JSON.readTree(answer.body());
      }
    } catch (JsonProcessingException e) {
      throw new ClusterFailure("a list is not JSON", e);
    }
    throw new ClusterFailure(
        "a list was answered with "
            + answer.status()
            + (answer.status() == 500
                ? "; keyward audit tells which objects have lost their key"
                : ""),
        answer.status());
  }
}
