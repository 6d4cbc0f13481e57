package io.keyward.core.health;

import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import java.time.Duration;
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
/// later. A change that this operator has seen counts from the look that showed it; if the
/// operator's own clock is set after that look, the time of the look is corrected by as much.
public final class ReportHistory {
  public static final ReportHistory EMPTY = new ReportHistory(Map.of(), Optional.empty());

  /// A clock that is adjusted slowly is not set.
  private static final Duration CLOCK_IS_SET = Duration.ofSeconds(2);

  private final Map<String, Observation> seen;
  private final Optional<Look> last;

  private ReportHistory(Map<String, Observation> seen, Optional<Look> last) {
    this.seen = Map.copyOf(seen);
    this.last = last;
  }

  /// A look at the reports.
  ///
  /// @param now by the clock of the operator, which may be set
  /// @param running for how long the operator has been running, by a clock that nobody sets
  public record Look(Instant now, Duration running) {
    /// By how much the clock was set forward since an earlier look.
    private Duration jumpSince(Look before) {
      Duration jump = Duration.between(before.now, now).minus(running.minus(before.running));
      return jump.compareTo(CLOCK_IS_SET) > 0 ? jump : Duration.ZERO;
    }
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

    Observation later(Duration jump) {
      return new Observation(
          status, statusSince, kek, told, kekSince, changeSeen.map(time -> time.plus(jump)));
    }
  }

  /// The history after a look.
  public ReportHistory after(Collection<HealthReport> reports, Look look) {
    Instant now = look.now();
    var next = new HashMap<>(seen);
    Duration jump = last.map(look::jumpSince).orElse(Duration.ZERO);
    if (!jump.isZero()) {
      next.replaceAll((_, observation) -> observation.later(jump));
    }
    for (HealthReport report : reports) {
      next.merge(
          key(report),
          new Observation(
              report.status(), now, report.kek(), report.kekSince(), now, Optional.empty()),
          (before, fresh) -> fresh.after(before));
    }
    return new ReportHistory(next, Optional.of(look));
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
        report.detail(),
        report.warnings());
  }

  private static String key(HealthReport report) {
    return report.node() + "/" + report.serial();
  }

  private static Instant earliest(Optional<Instant> told, Instant seen) {
    return told.filter(time -> time.isBefore(seen)).orElse(seen);
  }
}
