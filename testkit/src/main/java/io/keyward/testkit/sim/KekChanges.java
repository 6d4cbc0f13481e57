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
  private final Map<Operator, Map<String, Set<KekId>>> read = new HashMap<>();

  private record Told(String plugin, Instant checked, Optional<KekId> kek) {
    static Told of(HealthReport report) {
      return new Told(KekChanges.plugin(report), report.lastChecked(), report.kek());
    }
  }

  private static String plugin(HealthReport report) {
    return report.node() + "/" + report.serial();
  }

  /// @param at the time of the world
  /// @param wasCorrected whether the clock of the node was behind, and was set forward since
  record Change(long at, boolean wasCorrected) {}

  /// @param change the last one before this report; absent where there was none
  void reported(HealthReport report, @Nullable Change change) {
    if (change == null) {
      changes.remove(Told.of(report));
    } else {
      changes.put(Told.of(report), change);
    }
  }

  void seenBy(Operator operator, Collection<HealthReport> reports) {
    Map<String, Set<KekId>> seen = read.computeIfAbsent(operator, _ -> new HashMap<>());
    for (HealthReport report : reports) {
      seen.computeIfAbsent(plugin(report), _ -> new HashSet<>())
          .addAll(report.kek().stream().toList());
    }
  }

  /// An operator process ends.
  void forget(Operator operator) {
    read.remove(operator);
  }

  /// Whether the change before this report was early enough. Where the clock was corrected since,
  /// only an operator that has read another KEK can know when the change was.
  boolean isOver(HealthReport report, Instant latest, Operator reader) {
    Change change = changes.get(Told.of(report));
    return change == null
        || change.at() <= latest.getEpochSecond()
        || (change.wasCorrected() && !hasReadAnother(reader, report));
  }

  private boolean hasReadAnother(Operator reader, HealthReport report) {
    return read.getOrDefault(reader, Map.of()).getOrDefault(plugin(report), Set.of()).stream()
        .anyMatch(kek -> !Optional.of(kek).equals(report.kek()));
  }
}
