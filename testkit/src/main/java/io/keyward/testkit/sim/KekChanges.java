package io.keyward.testkit.sim;

import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Optional;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/// When plugins really changed their KEK, whatever their nodes' clocks say, and which of their KEKs
/// each operator has read. For the checks alone.
final class KekChanges {
  private final Map<Told, Change> changes = new HashMap<>();
  private final Map<Operator, Set<Told>> read = new HashMap<>();

  /// A report, or any one that shows a KEK.
  private record Told(String plugin, @Nullable Instant checked, Optional<KekId> kek) {
    static Told of(HealthReport report) {
      return new Told(plugin(report), report.lastChecked(), report.kek());
    }

    static String plugin(HealthReport report) {
      return report.node() + "/" + report.serial();
    }
  }

  /// @param before the KEK that a DEK seed may still be wrapped with
  /// @param at the time of the world
  /// @param isClockSet whether the clock of the node was set since
  record Change(KekId before, long at, boolean isClockSet) {}

  /// @param change the last one before this report; absent where there was none
  void reported(HealthReport report, @Nullable Change change) {
    if (change == null) {
      changes.remove(Told.of(report));
    } else {
      changes.put(Told.of(report), change);
    }
  }

  void seenBy(Operator operator, Collection<HealthReport> reports) {
    Set<Told> seen = read.computeIfAbsent(operator, _ -> new HashSet<>());
    for (HealthReport report : reports) {
      seen.add(new Told(Told.plugin(report), null, report.kek()));
    }
  }

  /// An operator process ends.
  void forget(Operator operator) {
    read.remove(operator);
  }

  /// Whether the change before this report was early enough. Where the clock was set since, only an
  /// operator that has read the KEK before can know when the change was.
  boolean isOver(HealthReport report, Instant latest, Operator reader) {
    Change change = changes.get(Told.of(report));
    return change == null
        || change.at() <= latest.getEpochSecond()
        || (change.isClockSet() && !hasRead(reader, report, change.before()));
  }

  private boolean hasRead(Operator reader, HealthReport report, KekId kek) {
    return read.getOrDefault(reader, Set.of())
        .contains(new Told(Told.plugin(report), null, Optional.of(kek)));
  }
}
