package io.keyward.bench.sites;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import com.sun.management.OperatingSystemMXBean;
import io.fabric8.kubernetes.api.model.GenericKubernetesResource;
import io.fabric8.kubernetes.client.dsl.base.ResourceDefinitionContext;
import io.fabric8.kubernetes.client.informers.ResourceEventHandler;
import io.fabric8.kubernetes.client.informers.SharedIndexInformer;
import io.keyward.codec.object.Labels;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.core.view.SiteView;
import io.keyward.engine.Engine;
import io.keyward.engine.Rhythm;
import io.keyward.engine.SiteId;
import io.keyward.engine.TurnObserver;
import io.keyward.kube.client.Api;
import io.keyward.kube.client.WatchedObjects;
import io.keyward.testbed.ControlPlane;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/// Many sites at rest in one process against one real API server: how soon all are seen, what they
/// cost at rest, and how soon an event leads to a turn of its site while a hundred others work.
///
/// Arguments: sites, seconds at rest, events, and where the result is kept (or `-`).
public final class ThousandSites {
  private static final String COLLECTION = "/api/v1/namespaces/default/configmaps";
  private static final String LABEL = "keyward.io/bench-site";
  private static final int WORKING = 100;
  private static final ObjectMapper JSON = new ObjectMapper();

  private final Map<String, Long> lastTurns = new ConcurrentHashMap<>();
  private final List<Map<String, Object>> rows = new ArrayList<>();
  private final int sites;

  private ThousandSites(int sites) {
    this.sites = sites;
  }

  public static void main(String[] arguments) throws Exception {
    String load = Files.readString(Path.of("/proc/loadavg")).strip();
    var bench = new ThousandSites(Integer.parseInt(arguments[0]));
    try (var plane =
            ControlPlane.builder(Files.createTempDirectory("sites").resolve("plane")).start();
        var api = Api.connect(Optional.of(plane.kubeconfig(0)), Optional.empty())) {
      bench.fill(api);
      bench.measure(api, Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
    }
    if (!arguments[3].equals("-")) {
      Map<String, Object> kept =
          new TreeMap<>(Map.of("rows", bench.rows, "loadAverageBefore", load));
      JSON.writerWithDefaultPrettyPrinter().writeValue(Path.of(arguments[3]).toFile(), kept);
    }
    boolean reached = bench.rows.stream().allMatch(row -> Boolean.TRUE.equals(row.get("reached")));
    System.exit(reached ? 0 : 1);
  }

  private void fill(Api api) {
    try (ExecutorService threads = Executors.newFixedThreadPool(4)) {
      for (int i = 0; i < sites; i++) {
        ObjectNode one = ObjectMeta.fresh("v1", "ConfigMap", name(i));
        one.withObject("/metadata").putObject("labels").put(LABEL, "true");
        one.putObject("data").put("spec", "x".repeat(500));
        threads.execute(() -> api.create(COLLECTION, one));
      }
    }
  }

  private static String name(int number) {
    return "site-" + number;
  }

  private void measure(Api api, int seconds, int events) throws Exception {
    var engine = new Engine(observer(), Rhythm.DEFAULT);
    try (engine;
        var informer = informer(api, engine)) {
      var cache =
          new WatchedObjects(
              List.of(
                  new WatchedObjects.Watched(
                      COLLECTION, "", Labels.ANY, informer.getStore()::list)));
      long begun = System.nanoTime();
      for (int i = 0; i < sites; i++) {
        engine.add(
            new FakeHostedSite(
                name(i),
                COLLECTION + "/" + name(i),
                api,
                () -> informer.hasSynced() ? Optional.of(cache) : Optional.empty(),
                Duration.ZERO));
      }
      await(() -> lastTurns.size() == sites);
      row("all sites seen after a start", "s", (System.nanoTime() - begun) / 1e9, 60);
      atRest(api, seconds);
      latency(api, engine, events);
    }
  }

  private void atRest(Api api, int seconds) throws IOException, InterruptedException {
    Thread.sleep(Duration.ofSeconds(5));
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    System.gc();
    long cpu = system.getProcessCpuTime();
    long sent = api.sent();
    long begun = System.nanoTime();
    Thread.sleep(Duration.ofSeconds(seconds));
    double passed = (System.nanoTime() - begun) / 1e9;
    row("resident memory", "MB", resident(), 400);
    row("share of a core at rest", "%", (system.getProcessCpuTime() - cpu) / 1e7 / passed, 5);
    row("requests per minute and site at rest", "", (api.sent() - sent) * 60 / passed / sites, 2);
  }

  private void latency(Api api, Engine engine, int events) throws InterruptedException {
    for (int i = 0; i < WORKING; i++) {
      engine.add(
          new FakeHostedSite(
              "working-" + i,
              COLLECTION + "/" + name(i),
              api,
              Optional::empty,
              Duration.ofMillis(50)));
    }
    Thread.sleep(Duration.ofSeconds(3));
    var waits = new ArrayList<Double>();
    for (int i = 0; i < events; i++) {
      String name = name(WORKING + i % (sites - WORKING));
      ObjectNode patch = JSON.createObjectNode();
      patch.putObject("data").put("event", Integer.toString(i));
      long begun = System.nanoTime();
      api.mergePatch(COLLECTION + "/" + name, patch);
      long written = System.nanoTime();
      String site = new SiteId(name, "kube-apiserver").toString();
      await(() -> lastTurns.getOrDefault(site, 0L) > begun);
      waits.add(Math.max(0, (lastTurns.getOrDefault(site, 0L) - written) / 1e6));
    }
    waits.sort(null);
    row(
        "p99 from an event to its site's turn, 100 others at work",
        "ms",
        waits.get((int) Math.ceil(waits.size() * 0.99) - 1),
        500);
  }

  private TurnObserver observer() {
    return new TurnObserver() {
      @Override
      public void turned(SiteId site, SiteView seen, Set<String> failed) {
        lastTurns.put(site.toString(), System.nanoTime());
      }

      @Override
      public void noTurn(SiteId site) {
        say("no turn of %s", site);
      }

      @Override
      public void removed(SiteId site) {}
    };
  }

  private static SharedIndexInformer<GenericKubernetesResource> informer(Api api, Engine engine) {
    var context =
        new ResourceDefinitionContext.Builder()
            .withGroup("")
            .withVersion("v1")
            .withKind("ConfigMap")
            .withPlural("configmaps")
            .withNamespaced(true)
            .build();
    var informer =
        api.client()
            .genericKubernetesResources(context)
            .inNamespace("default")
            .withLabel(LABEL)
            .runnableInformer(0);
    informer.addEventHandler(
        new ResourceEventHandler<>() {
          private void wake(GenericKubernetesResource one) {
            engine.wake(new SiteId(one.getMetadata().getName(), "kube-apiserver"));
          }

          @Override
          public void onAdd(GenericKubernetesResource added) {
            wake(added);
          }

          @Override
          public void onUpdate(GenericKubernetesResource before, GenericKubernetesResource after) {
            wake(after);
          }

          @Override
          public void onDelete(GenericKubernetesResource last, boolean unknown) {
            wake(last);
          }
        });
    var _ = informer.start();
    return informer;
  }

  private static double resident() throws IOException {
    return Files.readAllLines(Path.of("/proc/self/status")).stream()
        .filter(line -> line.startsWith("VmRSS:"))
        .mapToDouble(line -> Double.parseDouble(line.replaceAll("[^0-9]", "")) * 1024 / 1e6)
        .findFirst()
        .orElseThrow();
  }

  private void row(String what, String unit, double ours, double limit) {
    var row = new TreeMap<String, Object>();
    row.put("what", what);
    row.put("unit", unit);
    row.put("ours", ours);
    row.put("against", "limit");
    row.put("other", limit);
    row.put("ratio", ours / limit);
    row.put("mustReach", "<= 1.00 x");
    row.put("reached", ours <= limit);
    rows.add(row);
    say("%s: %.2f %s (limit %.0f)", what, ours, unit, limit);
  }

  private static void await(BooleanSupplier wanted) throws InterruptedException {
    long end = System.nanoTime() + Duration.ofMinutes(5).toNanos();
    while (!wanted.getAsBoolean()) {
      if (System.nanoTime() > end) {
        throw new IllegalStateException("waited for five minutes");
      }
      Thread.sleep(1);
    }
  }

  @FormatMethod
  private static void say(String format, Object... values) {
    System.err.println(String.format(Locale.ROOT, format, values));
  }
}
