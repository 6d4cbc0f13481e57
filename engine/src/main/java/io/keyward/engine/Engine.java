package io.keyward.engine;

import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.concurrent.locks.Condition;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/// Takes turns for every registered site: one turn per site at a time, woken by its own events,
/// backing off by itself. A site that hangs or fails delays no other one.
///
/// Sites come and go while it runs. A site at rest costs a line in a table and no thread.
public final class Engine implements AutoCloseable {
  private static final Logger LOG = System.getLogger(Engine.class.getName());

  /// More turns at once would only compete for memory. A turn mostly waits for answers, and one
  /// that hangs must leave room for others.
  private static final int AT_ONCE = 200;

  private static final Duration LONGEST_END = Duration.ofSeconds(10);

  private final TurnObserver observer;
  private final Rhythm rhythm;
  private final ReentrantLock lock = new ReentrantLock();
  private final Condition changed = lock.newCondition();
  private final SiteSchedule schedule;
  private final Map<SiteId, Registered> sites = new HashMap<>();
  private final Thread dispatcher;
  private int running;

  private static final class Registered {
    private final SiteTurns turns;
    private @Nullable Thread thread;

    Registered(SiteTurns turns) {
      this.turns = turns;
    }
  }

  /// With these sites from the start.
  public static Engine of(List<? extends Site> sites, TurnObserver observer) {
    var engine = new Engine(observer, Rhythm.DEFAULT);
    sites.forEach(engine::add);
    return engine;
  }

  public Engine(TurnObserver observer, Rhythm rhythm) {
    this.observer = observer;
    this.rhythm = rhythm;
    this.schedule = new SiteSchedule(rhythm.burst().toNanos());
    this.dispatcher = Thread.ofVirtual().name("engine").start(this::dispatch);
  }

  /// Registers a site, whose first turn comes at once.
  ///
  /// @throws IllegalArgumentException if a site of this name is registered
  public void add(Site site) {
    lock.lock();
    try {
      schedule.add(site.id(), System.nanoTime());
      sites.put(site.id(), new Registered(new SiteTurns(site, observer, rhythm, System::nanoTime)));
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /// Ends the turns of a site. A turn that is under way is interrupted and waited for: nothing is
  /// written for a site that is gone.
  public void remove(SiteId id) {
    Thread turn;
    lock.lock();
    try {
      Registered gone = sites.remove(id);
      if (gone == null) {
        return;
      }
      schedule.remove(id);
      turn = gone.thread;
    } finally {
      lock.unlock();
    }
    if (turn != null) {
      stop(turn);
    }
    observer.removed(id);
  }

  /// Something changed at this site: it has a turn soon. Many calls in a row make one turn.
  public void wake(SiteId id) {
    wake(id, false);
  }

  /// The same, and the turn looks live: an administrator who edits a request also wants to know
  /// what keeps the operator from reading the cluster.
  public void wakeToLook(SiteId id) {
    wake(id, true);
  }

  private void wake(SiteId id, boolean live) {
    lock.lock();
    try {
      schedule.wake(id, System.nanoTime(), live);
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  /// The same for every site.
  public void wakeAll() {
    lock.lock();
    try {
      sites.keySet().forEach(id -> schedule.wake(id, System.nanoTime(), false));
      changed.signal();
    } finally {
      lock.unlock();
    }
  }

  @Override
  public void close() {
    stop(dispatcher);
    List<SiteId> left;
    lock.lock();
    try {
      left = List.copyOf(sites.keySet());
      // All at once: one that ends late must not delay the end of the others.
      for (Registered site : sites.values()) {
        Thread turn = site.thread;
        if (turn != null) {
          turn.interrupt();
        }
      }
    } finally {
      lock.unlock();
    }
    left.forEach(this::remove);
  }

  private static void stop(Thread thread) {
    thread.interrupt();
    try {
      if (!thread.equals(Thread.currentThread()) && !thread.join(LONGEST_END)) {
        LOG.log(Level.WARNING, "a turn did not stop within " + LONGEST_END.toSeconds() + " s");
      }
    } catch (InterruptedException e) {
      Thread.currentThread().interrupt();
    }
  }

  private void dispatch() {
    lock.lock();
    try {
      while (true) {
        boolean hasRoom = running < AT_ONCE;
        Optional<SiteSchedule.Due> next =
            hasRoom ? schedule.poll(System.nanoTime()) : Optional.empty();
        OptionalLong due = hasRoom ? schedule.nextDue() : OptionalLong.empty();
        if (next.isPresent()) {
          begin(next.orElseThrow());
        } else if (due.isPresent()) {
          var _ = changed.awaitNanos(due.getAsLong() - System.nanoTime());
        } else {
          changed.await();
        }
      }
    } catch (InterruptedException _) {
      LOG.log(Level.DEBUG, "stopped");
    } finally {
      lock.unlock();
    }
  }

  private void begin(SiteSchedule.Due due) {
    SiteId id = due.id();
    Registered site = sites.get(id);
    if (site == null) {
      return;
    }
    running++;
    int all = schedule.size();
    site.thread = Thread.ofVirtual().name("turn of " + id).start(() -> turn(due, site, all));
  }

  private void turn(SiteSchedule.Due due, Registered site, int all) {
    SiteId id = due.id();
    Rest rest = new Rest(rhythm.longestRetry(), rhythm.longestRetry());
    try {
      rest = site.turns.turn(all, due.live());
    } finally {
      lock.lock();
      try {
        running--;
        site.thread = null;
        // A site of the same name may have taken its place meanwhile.
        if (sites.get(id) == site) {
          schedule.finished(id, System.nanoTime(), rest);
        }
        changed.signal();
      } finally {
        lock.unlock();
      }
    }
  }
}
