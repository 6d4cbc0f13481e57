package io.keyward.engine;

import io.keyward.core.event.PlanWords;
import io.keyward.core.view.SiteView;
import java.lang.System.Logger;
import java.lang.System.Logger.Level;
import java.time.Duration;
import java.util.Optional;
import java.util.function.LongSupplier;

/// The turns of one site, one after the other, and what it remembers between two of them.
final class SiteTurns {
  private static final Logger LOG = System.getLogger(SiteTurns.class.getName());

  private final Site site;
  private final TurnObserver observer;
  private final Rhythm rhythm;
  private final LongSupplier nanos;
  private final TurnRunner runner;
  private final Repetition repetition = new Repetition();
  private Duration retry;
  private long lastLive;
  private boolean rested;

  SiteTurns(Site site, TurnObserver observer, Rhythm rhythm, LongSupplier nanos) {
    this.site = site;
    this.observer = observer;
    this.rhythm = rhythm;
    this.nanos = nanos;
    this.runner = new TurnRunner(site);
    this.retry = rhythm.firstRetry();
    this.lastLive = nanos.getAsLong() - rhythm.live().toNanos();
  }

  /// Takes a turn. Whatever fails shows in the rest that follows, and never in an exception.
  ///
  /// @param sites how many there are
  /// @param live whether it must look live
  Rest turn(int sites, boolean live) {
    try {
      Duration glances = rested ? rhythm.live() : rhythm.longestResync();
      boolean due = live || nanos.getAsLong() - lastLive >= glances.toNanos();
      TurnRunner.Done done = runner.turn(!due);
      rested = done.atRest();
      if (done.live()) {
        lastLive = nanos.getAsLong();
      }
      retry = rhythm.firstRetry();
      observer.turned(site.id(), SiteView.of(done.seen()), done.failed().keySet());
      complain(done.unsaid());
      return rest(done, sites);
    } catch (RuntimeException e) {
      // A site that was told to stop has not failed.
      Level level = Thread.currentThread().isInterrupted() ? Level.DEBUG : Level.WARNING;
      LOG.log(level, site.id() + ": no turn possible: " + e.getMessage());
      LOG.log(Level.DEBUG, "cause", e);
      observer.noTurn(site.id());
      complain(Optional.of(String.valueOf(e.getMessage())));
      var rest = new Rest(rhythm.firstRetry(), retry);
      Duration doubled = retry.multipliedBy(2);
      retry = doubled.compareTo(rhythm.longestRetry()) > 0 ? rhythm.longestRetry() : doubled;
      return rest;
    }
  }

  private Rest rest(TurnRunner.Done done, int sites) {
    String words = done.changed() ? String.join("; ", PlanWords.next(done.plan())) : "";
    if (done.changed()) {
      LOG.log(Level.INFO, site.id() + ": " + words);
    }
    if (repetition.add(words)) {
      // Not even an event wakes it: what was written is one.
      return new Rest(rhythm.firstRetry(), rhythm.firstRetry());
    }
    if (done.changed()) {
      return new Rest(rhythm.burst(), rhythm.burst());
    }
    boolean rests = !done.live() && done.failed().isEmpty() && done.atRest();
    return new Rest(Duration.ZERO, rests ? rhythm.atRest(sites) : rhythm.resync());
  }

  /// Where the site could not even be observed, the report may fail as well.
  private void complain(Optional<String> problem) {
    try {
      site.complain(problem);
    } catch (RuntimeException e) {
      LOG.log(Level.DEBUG, site.id() + ": not reported", e);
    }
  }
}
