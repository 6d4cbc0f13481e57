package io.keyward.kube.migrate;

import java.util.Arrays;

/// How many requests may be under way at once, so that others who use the API server hardly notice.
///
/// What one request takes while it is alone is the measure. What it takes longer among more it
/// waits for them: that tells how many of those under way wait somewhere, and everybody else waits
/// behind these. While nobody else is there some may wait, and there may be more requests: twice as
/// many until they first get in each other's way, one more from then on. Beside others none should
/// wait: there is one more only as long as that makes no request slower, and where it did, that is
/// not tried again soon. A server that asks for patience gets it at once.
public final class ConcurrencyLimit {
  static final int WIDEST = 32;

  /// With only one the server waits between two requests. Only a server that refuses gets less.
  private static final int NARROWEST = 2;

  private static final int WINDOW = 24;

  /// Loads change: after so many windows the measure is taken again. That is slow, so it is rare; a
  /// measure that is too old is too small, which is kind to others.
  private static final int MEASURE_EVERY = 250;

  /// So many may wait, and there is still room for more. Those that wait for etcd are written
  /// together, which costs the server less for each: on two processors a migration with two dozen
  /// under way needs about four fifths of the time that it needs with six.
  private static final double ROOM = 16;

  private static final double CROWD = 22;

  /// Large servers do not feel single requests; there the part of those that wait counts.
  private static final double ROOM_PART = 0.25;

  private static final double CROWD_PART = 0.5;

  /// The same beside others: not even one.
  private static final double ROOM_BESIDE_OTHERS = 0.3;

  private static final double CROWD_BESIDE_OTHERS = 0.5;

  private static final double ROOM_PART_BESIDE_OTHERS = 0.1;

  private static final double CROWD_PART_BESIDE_OTHERS = 0.2;

  /// Windows until what was too wide beside others is tried again; twice as many each time.
  private static final int FIRST_RETRY = 16;

  private static final int LAST_RETRY = 64;

  private final long[] window = new long[WINDOW];
  private int seen;
  private int windows;
  private int width = 1;
  private int before = 1;
  private boolean crowded;
  private long alone = Long.MAX_VALUE;
  private long last;
  private boolean others;
  private int retry = FIRST_RETRY;
  private int untilRetry;

  /// Whether others use the server.
  synchronized void beside(boolean othersNow) {
    if (othersNow && !others) {
      seen = 0;
      width = 1;
      before = 1;
    }
    others = othersNow;
  }

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
      last = median;
      width = Math.max(before, others ? 1 : NARROWEST);
      return;
    }
    alone = Math.min(alone, median);
    if (others) {
      judgeBesideOthers(median);
    } else {
      judgeAlone(median);
    }
    last = median;
    if (round == MEASURE_EVERY - 1) {
      before = width;
      width = 1;
    }
  }

  private void judgeAlone(long median) {
    // Machines stall now and then: one bad window is no crowd.
    long least = Math.min(median, last);
    if (waiting(least) > Math.max(CROWD, width * CROWD_PART)) {
      crowded = true;
      width = Math.max(NARROWEST, width - Math.max(1, width / 4));
    } else if (waiting(median) < Math.max(ROOM, width * ROOM_PART)) {
      width = Math.min(WIDEST, width + (crowded ? 1 : width));
    } else {
      crowded = true;
    }
  }

  private void judgeBesideOthers(long median) {
    if (width > 1
        && waiting(median) > Math.max(CROWD_BESIDE_OTHERS, width * CROWD_PART_BESIDE_OTHERS)) {
      width--;
      untilRetry = retry;
      retry = Math.min(2 * retry, LAST_RETRY);
    } else if (untilRetry > 0) {
      untilRetry--;
    } else if (waiting(median) < Math.max(ROOM_BESIDE_OTHERS, width * ROOM_PART_BESIDE_OTHERS)) {
      width = Math.min(WIDEST, width + 1);
    }
  }

  /// How many of the requests under way wait, if each takes so long.
  private double waiting(long nanos) {
    return width * (1 - (double) alone / nanos);
  }

  /// The server said that it has too much to do.
  synchronized void refused() {
    seen = 0;
    crowded = true;
    width = Math.max(1, width / 2);
    before = width;
  }
}
