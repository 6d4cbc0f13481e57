package io.keyward.bench.audit;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Locale;
import java.util.Map;

/// Runs `cat`, `etcdutl snapshot status` and `keyward audit` over one file, in turns.
final class CompareAudit {
  private static final int ROUNDS = 5;

  private CompareAudit() {}

  static void main(String[] args) throws IOException, InterruptedException {
    if (args.length != 3) {
      System.err.println("usage: CompareAudit SNAPSHOT ETCDUTL KEYWARD");
      System.exit(64);
    }
    Map<String, List<String>> commands = new LinkedHashMap<>();
    commands.put("cat", List.of("cat", args[0]));
    commands.put("etcdutl", List.of(args[1], "snapshot", "status", args[0]));
    commands.put("keyward", List.of(args[2], "audit", "--snapshot", args[0], "-o", "json"));
    Map<String, List<Double>> seconds = new LinkedHashMap<>();
    for (int round = 0; round <= ROUNDS; round++) {
      for (var command : commands.entrySet()) {
        double took = run(command.getValue());
        // The first round only warms the page cache.
        if (round > 0) {
          seconds.computeIfAbsent(command.getKey(), _ -> new ArrayList<>()).add(took);
        }
      }
    }
    print(Files.size(Path.of(args[0])), seconds);
  }

  private static double run(List<String> command) throws IOException, InterruptedException {
    long begin = System.nanoTime();
    Process process =
        new ProcessBuilder(command)
            .redirectOutput(ProcessBuilder.Redirect.DISCARD)
            .redirectError(ProcessBuilder.Redirect.INHERIT)
            .start();
    int exit = process.waitFor();
    // An audit with findings answers 1.
    if (exit > 1) {
      throw new IOException("failed: " + command);
    }
    return (System.nanoTime() - begin) / 1e9;
  }

  private static void print(long size, Map<String, List<Double>> seconds) {
    System.out.printf(Locale.ROOT, "%d bytes, %d rounds%n", size, ROUNDS);
    seconds.forEach((name, all) -> {
      List<Double> sorted = all.stream().sorted().toList();
      System.out.printf(
          Locale.ROOT,
          "%-8s median %.2f s, best %.2f s, worst %.2f s%n",
          name,
          sorted.get(sorted.size() / 2),
          sorted.getFirst(),
          sorted.getLast());
    });
  }
}
