package io.keyward.engine;

import java.util.Comparator;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.OptionalLong;
import java.util.TreeSet;

/// Which site has its turn when: the data behind the queue, without threads and without a clock.
///
/// A site has one turn at a time. An event during a turn leads to another turn after it, and many
/// events in a row lead to one. Not thread-safe; times are nanoseconds of a monotonic clock.
final class SiteSchedule {
  private final long burst;
  private final Map<SiteId, Entry> entries = new HashMap<>();

  /// Those that wait, the one that is due first in front.
  private final TreeSet<Entry> waiting =
      new TreeSet<>(
          Comparator.<Entry>comparingLong(entry -> entry.due)
              .thenComparing(entry -> entry.id.toString()));

  private static final class Entry {
    private final SiteId id;
    private long due;
    private long earliest;
    private boolean running;
    private boolean woken;
    private boolean live;

    Entry(SiteId id, long now) {
      this.id = id;
      due = now;
      earliest = now;
    }
  }

  /// @param burst how long an event is held back for others that may follow
  SiteSchedule(long burst) {
    this.burst = burst;
  }

  int size() {
    return entries.size();
  }

  /// Its first turn is due at once.
  void add(SiteId id, long now) {
    var entry = new Entry(id, now);
    if (entries.putIfAbsent(id, entry) != null) {
      throw new IllegalArgumentException("site " + id + " is already registered");
    }
    waiting.add(entry);
  }

  /// Does nothing where it is not there.
  void remove(SiteId id) {
    Entry entry = entries.remove(id);
    if (entry != null) {
      waiting.remove(entry);
    }
  }

  /// A site whose turn it is.
  ///
  /// @param live whether an event asked for a live look
  record Due(SiteId id, boolean live) {}

  /// Something changed at this site.
  ///
  /// @param live whether the next turn must look live
  void wake(SiteId id, long now, boolean live) {
    Entry entry = entries.get(id);
    if (entry == null) {
      return;
    }
    entry.live |= live;
    if (entry.running) {
      entry.woken = true;
      return;
    }
    reschedule(entry, Math.min(entry.due, Math.max(entry.earliest, now + burst)));
  }

  /// The site whose turn it is; it counts as running until [#finished].
  Optional<Due> poll(long now) {
    if (waiting.isEmpty() || waiting.first().due > now) {
      return Optional.empty();
    }
    Entry entry = waiting.removeFirst();
    entry.running = true;
    entry.woken = false;
    var due = new Due(entry.id, entry.live);
    entry.live = false;
    return Optional.of(due);
  }

  /// When the next turn is due; empty while no site waits.
  OptionalLong nextDue() {
    return waiting.isEmpty() ? OptionalLong.empty() : OptionalLong.of(waiting.first().due);
  }

  void finished(SiteId id, long now, Rest rest) {
    Entry entry = entries.get(id);
    if (entry == null || !entry.running) {
      return;
    }
    entry.running = false;
    entry.earliest = now + rest.atLeast().toNanos();
    entry.due = now + rest.atMost().toNanos();
    waiting.add(entry);
    if (entry.woken) {
      wake(id, now, false);
    }
  }

  private void reschedule(Entry entry, long due) {
    waiting.remove(entry);
    entry.due = due;
    waiting.add(entry);
  }
}
