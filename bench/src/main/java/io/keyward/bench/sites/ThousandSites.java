package io.keyward.bench.sites;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.fasterxml.jackson.databind.node.ObjectNode;
import com.google.errorprone.annotations.FormatMethod;
import com.sun.management.OperatingSystemMXBean;
import io.keyward.codec.object.ObjectMeta;
import io.keyward.kube.client.Api;
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
import java.util.TreeMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.function.BooleanSupplier;

/// Many sites at rest in one process against one real API server: how soon all are seen, what they
/// cost at rest, and how soon an event leads to a turn of its site while a hundred others work.
///
/// Arguments: sites, seconds at rest, events, where the result is kept (or `-`), and the loop:
/// `engine`, or `sdk` for the Java Operator SDK as a peer.
public final class ThousandSites {
  static final String COLLECTION = "/api/v1/namespaces/default/configmaps";
  static final String LABEL = "keyward.io/bench-site";
  private static final int WORKING = 100;
  private static final Duration WORK = Duration.ofMillis(50);
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
      try (SiteLoop loop =
          arguments[4].equals("sdk")
              ? new OperatorSdkLoop(api, bench::turned)
              : new EngineLoop(api, bench::turned)) {
        bench.measure(api, loop, Integer.parseInt(arguments[1]), Integer.parseInt(arguments[2]));
      }
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
        String name = name(i);
        threads.execute(() -> create(api, name));
      }
    }
  }

  static void create(Api api, String name) {
    ObjectNode one = ObjectMeta.fresh("v1", "ConfigMap", name);
    one.withObject("/metadata").putObject("labels").put(LABEL, "true");
    one.putObject("data").put("spec", "x".repeat(500));
    api.create(COLLECTION, one);
  }

  private static String name(int number) {
    return "site-" + number;
  }

  private void turned(String site) {
    lastTurns.put(site, System.nanoTime());
  }

  private void measure(Api api, SiteLoop loop, int seconds, int events) throws Exception {
    long begun = System.nanoTime();
    loop.start();
    for (int i = 0; i < sites; i++) {
      loop.add(name(i), Duration.ZERO);
    }
    await(() -> lastTurns.size() == sites);
    row("all sites seen after a start", "s", (System.nanoTime() - begun) / 1e9, 60);
    atRest(api, seconds);
    latency(api, loop, events);
  }

  private void atRest(Api api, int seconds) throws IOException, InterruptedException {
    Thread.sleep(Duration.ofSeconds(5));
    var system = (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
    System.gc();
    long cpu = system.getProcessCpuTime();
    long sent = requests(api);
    long begun = System.nanoTime();
    Thread.sleep(Duration.ofSeconds(seconds));
    double passed = (System.nanoTime() - begun) / 1e9;
    row("resident memory", "MB", resident(), 400);
    row("share of a core at rest", "%", (system.getProcessCpuTime() - cpu) / 1e7 / passed, 5);
    row(
        "requests per minute and site at rest",
        "",
        (requests(api) - sent) * 60 / passed / sites,
        2);
  }

  /// Counted by the API server: requests for the objects of the sites, other than watches.
  private static long requests(Api api) {
    return api.text("/metrics")
        .lines()
        .filter(line -> line.startsWith("apiserver_request_total{"))
        .filter(
            line -> line.contains("resource=\"configmaps\"") && !line.contains("verb=\"WATCH\""))
        .mapToLong(line -> (long) Double.parseDouble(line.substring(line.lastIndexOf(' ') + 1)))
        .sum();
  }

  private void latency(Api api, SiteLoop loop, int events) throws InterruptedException {
    for (int i = 0; i < WORKING; i++) {
      String name = "working-" + i;
      create(api, name);
      loop.add(name, WORK);
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
      await(() -> lastTurns.getOrDefault(name, 0L) > begun);
      waits.add(Math.max(0, (lastTurns.getOrDefault(name, 0L) - written) / 1e6));
    }
    waits.sort(null);
    row(
        "p99 from an event to its site's turn, 100 others at work",
        "ms",
        waits.get((int) Math.ceil(waits.size() * 0.99) - 1),
        500);
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
