package io.keyward.bench.migrator;

import com.fasterxml.jackson.databind.ObjectMapper;
import com.google.errorprone.annotations.FormatMethod;
import io.keyward.bench.migrator.OperatorAtRest.Rest;
import io.keyward.bench.migrator.Runs.Run;
import io.keyward.kube.migrate.Migrator;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.Map;
import java.util.TreeMap;

/// Our migrator beside the in-tree one and beside plain writes, on one cluster, in one run.
///
/// Arguments: secrets (0 leaves the migrators out), seconds of rest (0 leaves the operator out),
/// the distribution, and where results are kept (or `-`).
public final class CompareMigrators {
  private static final Duration REST = Duration.ofSeconds(10);

  /// In-tree waits 20, 41 or 82 seconds by chance; with fewer rounds the medians vary.
  private static final int ROUNDS = Integer.getInteger("keyward.bench.rounds", 7);

  private static final int BESIDE_ROUNDS = 5;

  private final List<Row> rows = new ArrayList<>();

  private CompareMigrators() {}

  record Row(
      String what, double ours, double against, double ratio, String mustReach, boolean reached) {}

  public static void main(String[] arguments) throws Exception {
    var bench = new CompareMigrators();
    int secrets = Integer.parseInt(arguments[0]);
    Duration rest = Duration.ofSeconds(Integer.parseInt(arguments[1]));
    Path directory = Files.createTempDirectory("migrators");
    String load = Files.readString(Path.of("/proc/loadavg")).strip();
    if (secrets > 0) {
      bench.migrators(directory.resolve("keys"), secrets);
    }
    if (rest.isPositive()) {
      bench.operator(
          Files.createDirectory(directory.resolve("operator")), rest, Path.of(arguments[2]));
    }
    if (!arguments[3].equals("-")) {
      Map<String, Object> kept =
          new TreeMap<>(Map.of("secrets", secrets, "loadAverageBefore", load, "rows", bench.rows));
      new ObjectMapper()
          .writerWithDefaultPrettyPrinter()
          .writeValue(Path.of(arguments[3]).toFile(), kept);
    }
    System.exit(bench.rows.stream().allMatch(Row::reached) ? 0 : 1);
  }

  private void migrators(Path directory, int secrets) throws InterruptedException {
    try (var cluster = new KeyedCluster(directory, secrets)) {
      // The JVM and the API server get warm.
      cluster.nextKey();
      Runs.migrate(cluster, Migrator.Kind.OURS, false);

      var ours = new ArrayList<Double>();
      var puts = new ArrayList<Double>();
      var inTree = new ArrayList<Double>();
      int atOnce = 0;
      // In turns: machines are faster at one time than at another.
      for (int round = 0; round < ROUNDS; round++) {
        cluster.nextKey();
        Run our = Runs.migrate(cluster, Migrator.Kind.OURS, false);
        atOnce = our.atOnce();
        cluster.nextKey();
        Run put = Runs.puts(cluster, atOnce);
        cluster.nextKey();
        Run their = Runs.migrate(cluster, Migrator.Kind.IN_TREE, false);
        say(
            "ours %.1f s with %d at once, PUTs %.1f s, in-tree %.1f s",
            our.seconds(), atOnce, put.seconds(), their.seconds());
        ours.add(our.seconds());
        puts.add(put.seconds());
        inTree.add(their.seconds());
      }
      double floor = secrets / median(puts);
      double reached = secrets / median(ours);
      add(
          new Row(
              "objects/s, against no-op PUTs, " + atOnce + " at once",
              reached,
              floor,
              reached / floor,
              ">= 0.80 x",
              reached >= 0.8 * floor));
      most("wall time, s, against in-tree", median(ours), median(inTree), 0.1);

      // Each migration beside the rest before and after it: what a machine does to both is in both.
      var beside = new ArrayList<Beside>();
      for (int round = 0; round < BESIDE_ROUNDS; round++) {
        cluster.nextKey();
        List<Double> rest = new ArrayList<>(rest(cluster, secrets));
        var reader = new Reader(cluster.another(), secrets);
        Run run = Runs.migrate(cluster, Migrator.Kind.OURS, false);
        double busy = p99(reader.millis());
        rest.addAll(rest(cluster, secrets));
        beside.add(new Beside(busy, p99(rest)));
        say(
            "beside a reader: %.1f s with %d at once, p99 %.1f ms, at rest %.1f ms",
            run.seconds(), run.atOnce(), busy, p99(rest));
      }
      Beside middle =
          beside.stream()
              .sorted(Comparator.comparingDouble(Beside::ratio))
              .toList()
              .get(BESIDE_ROUNDS / 2);
      most("p99 of a reader, ms, against rest", middle.busy(), middle.rest(), 2);

      cluster.nextKey();
      Run nudged = Runs.migrate(cluster, Migrator.Kind.IN_TREE, true);
      say("in-tree while secrets come and go: %.1f s", nudged.seconds());
    }
  }

  /// The p99 of a reader during a migration, and around it.
  private record Beside(double busy, double rest) {
    double ratio() {
      return busy / rest;
    }
  }

  private static List<Double> rest(KeyedCluster cluster, int secrets) throws InterruptedException {
    var idle = new Reader(cluster.another(), secrets);
    Thread.sleep(REST);
    return idle.millis();
  }

  private static double median(List<Double> values) {
    return values.stream().sorted().toList().get(values.size() / 2);
  }

  private static double p99(List<Double> times) {
    return times.stream().sorted().toList().get((int) (times.size() * 0.99));
  }

  private void operator(Path directory, Duration rest, Path keyward) throws Exception {
    Rest seen = new OperatorAtRest(directory, keyward).measure(rest);
    most("operator at rest, resident MB", seen.megabytes(), 200, 1);
    add(
        new Row(
            "operator and agent at rest, writes a minute",
            seen.writesPerMinute(),
            0,
            0,
            "none",
            seen.writesPerMinute() == 0));
    add(
        new Row(
            "the same with a KMS on one node, its heartbeat",
            seen.writesWithKms(),
            1,
            seen.writesWithKms(),
            "<= 1",
            seen.writesWithKms() <= 1));
  }

  private void most(String what, double ours, double against, double limit) {
    double ratio = ours / against;
    add(
        new Row(
            what,
            ours,
            against,
            ratio,
            String.format(Locale.ROOT, "<= %.2f x", limit),
            ratio <= limit));
  }

  @FormatMethod
  private static void say(String format, Object... values) {
    System.out.println(String.format(Locale.ROOT, format, values));
  }

  /// Also tells it at once: whoever ends this early keeps what was measured.
  private void add(Row row) {
    if (rows.isEmpty()) {
      say(
          "%-48s %10s %10s %7s  %-10s %s",
          "what", "ours", "against", "ratio", "must reach", "reached");
    }
    rows.add(row);
    say(
        "%-48s %10.1f %10.1f %7.2f  %-10s %s",
        row.what(),
        row.ours(),
        row.against(),
        row.ratio(),
        row.mustReach(),
        row.reached() ? "yes" : "NO");
  }
}
