package io.keyward.http;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.locks.LockSupport;

/// Ends what is overdue. One thread for all calls of the process, which sleeps until the first of
/// them is due: a timer for each call would wake a thread of its own twice, outlive the call by
/// seconds, and hold the call's memory for as long.
public final class OverdueWatch {
  private static final Logger LOG = System.getLogger(OverdueWatch.class.getName());
  private static final OverdueWatch ONE = new OverdueWatch();
  private static final long FAR = Duration.ofHours(1).toNanos();
  private static final long SHORTEST_SLEEP = Duration.ofMillis(1).toNanos();

  private final Set<Call> calls = ConcurrentHashMap.newKeySet();
  private final Thread thread =
      Thread.ofPlatform().daemon().name("http-overdue").unstarted(this::look);

  /// When the thread looks again. Whoever is due earlier must wake it.
  private volatile long next = System.nanoTime();

  private OverdueWatch() {
    thread.start();
  }

  /// A call under way. Closed when it has ended.
  public static final class Call implements AutoCloseable {
    private final long end;
    private final Runnable giveUp;

    private Call(long end, Runnable giveUp) {
      this.end = end;
      this.giveUp = giveUp;
    }

    @Override
    public void close() {
      ONE.calls.remove(this);
    }
  }

  /// Runs `giveUp` once if the limit passes first. It must neither wait nor fail, since all others
  /// wait for it.
  public static Call over(TimeLimit limit, Runnable giveUp) {
    var call = new Call(limit.end(), giveUp);
    ONE.calls.add(call);
    if (call.end - ONE.next < 0) {
      LockSupport.unpark(ONE.thread);
    }
    return call;
  }

  private void look() {
    while (true) {
      // Before the look: a call that comes during it may be missed by it, and then wakes us.
      long far = System.nanoTime() + FAR;
      next = far;
      long first = far;
      var due = new ArrayList<Call>();
      for (Call call : calls) {
        if (call.end - System.nanoTime() <= 0) {
          due.add(call);
        } else if (call.end - first < 0) {
          first = call.end;
        }
      }
      next = first;
      for (Call call : due) {
        if (calls.remove(call)) { // else it has ended meanwhile
          giveUp(call);
        }
      }
      LockSupport.parkNanos(this, Math.max(SHORTEST_SLEEP, first - System.nanoTime()));
    }
  }

  private static void giveUp(Call call) {
    try {
      call.giveUp.run();
    } catch (RuntimeException e) {
      // A defect of one caller must not leave all others without a limit.
      LOG.log(Level.ERROR, "an overdue call could not be ended", e);
    }
  }
}
