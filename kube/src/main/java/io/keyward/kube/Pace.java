package io.keyward.kube;

import java.util.Arrays;

/// How many requests may be under way at once, so that others who use the API server hardly notice.
///
/// What one request takes while it is alone is the measure. As long as more of them at once do not
/// take much longer, there may be one more; when they do, they queue somewhere, and everybody else
/// queues with them. A server that asks for patience gets it at once.
final class Pace {
  static final int WIDEST = 32;
  private static final int WINDOW = 24;

  /// Loads change: after so many windows the measure is taken again.
  private static final int MEASURE_EVERY = 50;

  private static final double ROOM = 1.8;
  private static final double CROWD = 2.5;

  private final long[] window = new long[WINDOW];
  private int seen;
  private int windows;
  private int width = 1;
  private int before = 1;
  private long alone = Long.MAX_VALUE;

  synchronized int width() {
    return width;
  }

  synchronized void took(long nanos) {
    window[seen++] = nanos;
    if (seen == WINDOW) {
      seen = 0;
      Arrays.sort(window);
      judge(window[WINDOW / 2]);
    }
  }

  private void judge(long median) {
    int round = windows++ % MEASURE_EVERY;
    if (round == 0) {
      // Still feels what was before: a cold start, or the crowd.
      return;
    }
    if (round == 1) {
      alone = median;
      width = Math.max(before, 2);
      return;
    }
    alone = Math.min(alone, median);
    if (median > alone * CROWD) {
      width = Math.max(1, width - Math.max(1, width / 4));
    } else if (median < alone * ROOM) {
      width = Math.min(WIDEST, width + 1);
    }
    if (round == MEASURE_EVERY - 1) {
      before = width;
      width = 1;
    }
  }

  /// The server said that it has too much to do.
  synchronized void refused() {
    seen = 0;
    width = Math.max(1, width / 2);
    before = width;
  }
}
