package io.keyward.kube;

import io.keyward.core.model.HealthReport;
import io.keyward.core.model.KekId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;

/// Since when reports say what they say, for those that do not tell it themselves: of monitors of
/// others, and of nodes whose clock runs ahead.
///
/// Kept in memory: after a restart it counts anew, which only makes a KEK settle later.
final class Sightings {
  private final Map<String, Sighting> seen = new HashMap<>();

  /// @param told since when the plugin has this KEK by the monitor's clock; another time means that
  ///   it had another one in between
  private record Sighting(
      HealthReport.Status status,
      Instant statusSince,
      Optional<KekId> kek,
      Optional<Instant> told,
      Instant kekSince) {

    Sighting after(Sighting before) {
      return new Sighting(
          status,
          before.status == status
              ? earliest(Optional.of(before.statusSince), statusSince)
              : statusSince,
          kek,
          told,
          before.kek.equals(kek) && before.told.equals(told)
              ? earliest(Optional.of(before.kekSince), kekSince)
              : kekSince);
    }
  }

  /// The same report with times that are known and not in the future: a time that is told counts
  /// unless it is later than when this operator saw the report say so.
  HealthReport complete(HealthReport report, Instant now) {
    Sighting sighting =
        seen.merge(
            report.node() + "/" + report.serial(),
            new Sighting(report.status(), now, report.kek(), report.kekSince(), now),
            (before, fresh) -> fresh.after(before));
    return new HealthReport(
        report.node(),
        report.serial(),
        report.status(),
        report.lastChecked(),
        report.kek(),
        Optional.of(earliest(report.statusSince(), sighting.statusSince())),
        Optional.of(earliest(report.kekSince(), sighting.kekSince())),
        report.kekBefore(),
        report.detail());
  }

  private static Instant earliest(Optional<Instant> told, Instant seen) {
    return told.filter(time -> time.isBefore(seen)).orElse(seen);
  }
}
