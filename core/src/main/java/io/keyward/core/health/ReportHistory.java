package io.keyward.core.health;

import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import java.time.Instant;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Optional;

/// Since when reports say what they say, for those that do not tell it themselves: of monitors that
/// are not Keyward's, and of nodes whose clock is wrong. Immutable; each look gives the next one.
///
/// The time in a report identifies a change of the KEK, also for the next operator. How long a KEK
/// has settled does not depend on it alone: the clock of the node may be behind, and be corrected
/// later. A change that this operator has seen counts from the look that showed it.
public final class ReportHistory {
  public static final ReportHistory EMPTY = new ReportHistory(Map.of());

  private final Map<String, Observation> seen;

  private ReportHistory(Map<String, Observation> seen) {
    this.seen = Map.copyOf(seen);
  }

  /// @param told since when the plugin has this KEK by the monitor's clock; another time means that
  ///   it had another one in between
  /// @param changeSeen the look that showed this KEK after another one; absent where it was there
  ///   at the first look
  private record Observation(
      HealthReport.Status status,
      Instant statusSince,
      Optional<KekId> kek,
      Optional<Instant> told,
      Instant kekSince,
      Optional<Instant> changeSeen) {

    Observation after(Observation before) {
      boolean hasSameKek = before.kek.equals(kek) && before.told.equals(told);
      return new Observation(
          status,
          before.status == status
              ? earliest(Optional.of(before.statusSince), statusSince)
              : statusSince,
          kek,
          told,
          hasSameKek ? earliest(Optional.of(before.kekSince), kekSince) : kekSince,
          hasSameKek ? before.changeSeen : Optional.of(kekSince));
    }
  }

  /// The history after a look.
  public ReportHistory after(Collection<HealthReport> reports, Instant now) {
    var next = new HashMap<>(seen);
    for (HealthReport report : reports) {
      next.merge(
          key(report),
          new Observation(
              report.status(), now, report.kek(), report.kekSince(), now, Optional.empty()),
          (before, fresh) -> fresh.after(before));
    }
    return new ReportHistory(next);
  }

  /// The same reports with times that are known and not in the future: a time in a report counts
  /// unless it is later than when the report was first seen to say so.
  public List<HealthReport> complete(Collection<HealthReport> reports) {
    return reports.stream().map(this::complete).toList();
  }

  private HealthReport complete(HealthReport report) {
    Observation observation = seen.get(key(report));
    if (observation == null) {
      return report;
    }
    return new HealthReport(
        report.node(),
        report.serial(),
        report.status(),
        report.lastChecked(),
        report.kek(),
        Optional.of(earliest(report.statusSince(), observation.statusSince())),
        Optional.of(earliest(report.kekSince(), observation.kekSince())),
        report.kekBefore(),
        observation.changeSeen(),
        report.detail());
  }

  private static String key(HealthReport report) {
    return report.node() + "/" + report.serial();
  }

  private static Instant earliest(Optional<Instant> told, Instant seen) {
    return told.filter(time -> time.isBefore(seen)).orElse(seen);
  }
}
