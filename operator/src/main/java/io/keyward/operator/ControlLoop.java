package io.keyward.operator;

import io.keyward.core.event.PlanWords;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.List;
import java.util.Optional;
import java.util.concurrent.Semaphore;
import java.util.concurrent.TimeUnit;

/// Takes turns for every API server, each on a thread of its own, so that one that hangs or fails
/// never holds up another.
public final class ControlLoop implements AutoCloseable {
  private static final Logger LOG = System.getLogger(ControlLoop.class.getName());

  /// What no watch can tell, for example that a key became old, is noticed by then.
  private static final Duration RESYNC = Duration.ofSeconds(10);

  private static final Duration FIRST_RETRY = Duration.ofSeconds(1);
  private static final Duration LONGEST_RETRY = Duration.ofSeconds(30);

  private final List<Worker> workers;

  public ControlLoop(List<? extends Site> sites) {
    this(sites, TurnObserver.NOBODY);
  }

  public ControlLoop(List<? extends Site> sites, TurnObserver observer) {
    workers = sites.stream().map(site -> new Worker(site, observer)).toList();
  }

  public void start() {
    workers.forEach(worker -> worker.thread.start());
  }

  /// Something changed: look soon. Many calls at once make one look.
  public void wake() {
    workers.forEach(worker -> worker.signals.release());
  }

  @Override
  public void close() {
    workers.forEach(worker -> worker.thread.interrupt());
    for (Worker worker : workers) {
      try {
        worker.thread.join(Duration.ofSeconds(10));
      } catch (InterruptedException e) {
        Thread.currentThread().interrupt();
      }
    }
  }

  private static final class Worker {
    private final Site site;
    private final TurnObserver observer;
    private final TurnRunner runner;
    private final Semaphore signals = new Semaphore(1);
    private final Repetition repetition = new Repetition();
    private final Thread thread;

    Worker(Site site, TurnObserver observer) {
      this.site = site;
      this.observer = observer;
      runner = new TurnRunner(site);
      thread = Thread.ofVirtual().name("turns of " + site.component()).unstarted(this::run);
    }

    private void run() {
      Duration retry = FIRST_RETRY;
      try {
        while (!Thread.currentThread().isInterrupted()) {
          Duration pause = RESYNC;
          try {
            TurnRunner.Done done = runner.turn();
            retry = FIRST_RETRY;
            observer.turned(site.component(), done.seen(), done.failed().keySet());
            complain(done.unsaid());
            String words = done.changed() ? words(done) : "";
            if (done.changed()) {
              LOG.log(Level.INFO, site.component() + ": " + words);
              pause = Duration.ofMillis(50);
            }
            if (repetition.add(words)) {
              // Not even a signal is listened to: what was written is one.
              Thread.sleep(FIRST_RETRY);
            }
          } catch (RuntimeException e) {
            LOG.log(Level.WARNING, site.component() + ": no turn possible: " + e.getMessage());
            LOG.log(Level.DEBUG, "because", e);
            observer.noTurn(site.component());
            complain(Optional.of(String.valueOf(e.getMessage())));
            pause = retry;
            retry = retry.multipliedBy(2);
            retry = retry.compareTo(LONGEST_RETRY) > 0 ? LONGEST_RETRY : retry;
          }
          if (signals.tryAcquire(pause.toMillis(), TimeUnit.MILLISECONDS)) {
            // A burst of events makes one turn.
            Thread.sleep(Duration.ofMillis(50));
            signals.drainPermits();
          }
        }
      } catch (InterruptedException _) {
        LOG.log(Level.INFO, site.component() + ": ended");
      }
    }

    /// As well as it can be done where not even a look could be taken.
    private void complain(Optional<String> problem) {
      try {
        site.complain(problem);
      } catch (RuntimeException e) {
        LOG.log(Level.DEBUG, site.component() + ": not told", e);
      }
    }

    private static String words(TurnRunner.Done done) {
      return String.join("; ", PlanWords.next(done.plan()));
    }
  }
}
