package io.keyward.kube.migrate;

import java.util.ArrayDeque;
import java.util.Arrays;
import java.util.Deque;
import java.util.List;
import java.util.OptionalLong;

/// Whether others use the API server beside us: how many more requests it has let in than we made.
///
/// Where the server does not say there are others. A number that is smaller than before, or smaller
/// than what we made, shows that there are several servers behind one address. Who uses them cannot
/// be told from the numbers of one; and our requests are shared by all, so nobody is made way for.
public final class ForeignLoad {
  /// Where the API server tells how many requests it has let in, for each priority level.
  public static final String PATH = "/debug/api_priority_and_fairness/dump_priority_levels";

  /// The server does not say, or not to us.
  static final String NOT_TOLD = "not told";

  private static final String COUNTER = "DispatchedRequests";
  private static final int MOST_LEVELS = 1_000;

  /// Requests a second. A cluster of three nodes that has nothing to do makes about half as many.
  private static final double FEW = 40;

  /// The rate is that of so many samples. Who reads now and then is still there; and those of ours
  /// that are under way while it is counted must not look like somebody.
  private static final int LOOKS = 4;

  /// So many samples must find nothing of several servers until there is one again.
  private static final int LOOKS_AT_SEVERAL = 20;

  /// What is known, in the word that the record of a migration has for it.
  private String word = "unknown";

  private boolean present = true;
  private int several;
  private final Deque<LoadSample> samples = new ArrayDeque<>();

  /// How many requests were let in until a moment, and how many were ours.
  private record LoadSample(long let, long ours, long nanos) {
    double othersPerSecond(LoadSample later) {
      double seconds = Math.max(1, later.nanos - nanos) / 1e9;
      return (later.let - let - (later.ours - ours)) / seconds;
    }
  }

  /// The sum over all priority levels, in what the server tells as a table with commas.
  static OptionalLong parse(String table) {
    List<String> lines = table.lines().filter(line -> !line.isBlank()).limit(MOST_LEVELS).toList();
    if (lines.isEmpty()) {
      return OptionalLong.empty();
    }
    int column = cells(lines.getFirst()).indexOf(COUNTER);
    long sum = 0;
    for (String line : lines.subList(1, lines.size())) {
      List<String> cells = cells(line);
      if (column < 0 || cells.size() <= column || !cells.get(column).matches("[0-9]{1,15}")) {
        return OptionalLong.empty();
      }
      sum += Long.parseLong(cells.get(column));
    }
    return column < 0 ? OptionalLong.empty() : OptionalLong.of(sum);
  }

  private static List<String> cells(String line) {
    return Arrays.stream(line.split(",", -1)).map(String::strip).toList();
  }

  /// One look.
  ///
  /// @param let how many requests the server has let in until now; empty if it does not say
  /// @param ours how many of them were ours
  synchronized void seen(OptionalLong let, long ours, long nanos) {
    if (let.isEmpty()) {
      word = NOT_TOLD;
      present = true;
      samples.clear();
      return;
    }
    var now = new LoadSample(let.getAsLong(), ours, nanos);
    if (!samples.isEmpty()) {
      judge(samples.getLast(), now);
    }
    samples.add(now);
    if (samples.size() > LOOKS) {
      samples.remove();
    }
  }

  private void judge(LoadSample before, LoadSample now) {
    if (now.let < before.let || before.othersPerSecond(now) < -FEW) {
      several = LOOKS_AT_SEVERAL;
      samples.clear();
    } else {
      several = Math.max(0, several - 1);
      present = samples.getFirst().othersPerSecond(now) >= FEW;
    }
    present &= several == 0;
    word = several > 0 ? "several servers" : present ? "yes" : "no";
  }

  synchronized boolean present() {
    return present;
  }

  synchronized String word() {
    return word;
  }
}
