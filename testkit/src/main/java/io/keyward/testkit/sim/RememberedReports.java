package io.keyward.testkit.sim;

import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import java.time.Instant;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.TreeMap;

/// What an operator remembers of reports, as the real adapter does: a time that a node tells counts
/// unless it is later than when this operator saw the report say so.
final class RememberedReports {
  private final Map<String, Sighting> seen = new HashMap<>();

  private record Sighting(
      HealthReport.Status status,
      Instant statusSince,
      Optional<KekId> kek,
      Optional<Instant> told,
      Instant kekSince) {}

  void clear() {
    seen.clear();
  }

  Map<String, HealthReport> complete(Map<String, HealthReport> reports, Instant now) {
    var completed = new TreeMap<String, HealthReport>();
    reports.forEach((name, report) -> completed.put(name, complete(name, report, now)));
    return completed;
  }

  private HealthReport complete(String name, HealthReport report, Instant now) {
    Sighting before = seen.get(name);
    Instant status =
        before != null && before.status() == report.status() ? before.statusSince() : now;
    Instant kek =
        before != null
                && before.kek().equals(report.kek())
                && before.told().equals(report.kekSince())
            ? before.kekSince()
            : now;
    seen.put(name, new Sighting(report.status(), status, report.kek(), report.kekSince(), kek));
    return new HealthReport(
        report.node(),
        report.serial(),
        report.status(),
        report.lastChecked(),
        report.kek(),
        Optional.of(earlier(report.statusSince(), status)),
        Optional.of(earlier(report.kekSince(), kek)),
        report.kekBefore(),
        report.detail());
  }

  private static Instant earlier(Optional<Instant> told, Instant seen) {
    return told.filter(time -> time.isBefore(seen)).orElse(seen);
  }
}
