package io.keyward.testkit.sim;

import io.keyward.core.model.Activity;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.turn.Turn;
import io.keyward.core.turn.TurnPlan;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// Mistakes about what nodes report of the KEK.
final class KekMistakes {
  private KekMistakes() {}

  /// A report counts as if it had been made at the moment it is read.
  static TurnPlan believesAClockThatIsBehind(ObservedState seen) {
    var reports = new ArrayList<HealthReport>();
    for (HealthReport report : seen.activity().reports()) {
      boolean isFresh = report.isFresh(seen.at(), seen.settings());
      reports.add(changed(report, isFresh ? seen.at() : report.lastChecked(), report.changeSeen()));
    }
    return Turn.plan(withReports(seen, reports));
  }

  static TurnPlan forgetsAChangeThatItSaw(ObservedState seen) {
    var reports = new ArrayList<HealthReport>();
    for (HealthReport report : seen.activity().reports()) {
      reports.add(changed(report, report.lastChecked(), Optional.empty()));
    }
    return Turn.plan(withReports(seen, reports));
  }

  private static HealthReport changed(
      HealthReport report, Instant lastChecked, Optional<Instant> changeSeen) {
    return new HealthReport(
        report.node(),
        report.serial(),
        report.status(),
        lastChecked,
        report.kek(),
        report.statusSince(),
        report.kekSince(),
        report.kekBefore(),
        changeSeen,
        report.detail(),
        report.warnings());
  }

  /// The reports of other nodes than the first are not asked for.
  static TurnPlan believesOneNode(ObservedState seen) {
    var reports = new ArrayList<HealthReport>();
    Optional<HealthReport> first =
        seen.activity().reports().stream()
            .filter(report -> report.status() == HealthReport.Status.HEALTHY)
            .findFirst();
    for (HealthReport report : seen.activity().reports()) {
      reports.add(
          first
              .filter(one -> one.serial().equals(report.serial()))
              .map(one -> spoken(report.node(), one, one.kek()))
              .orElse(report));
    }
    return Turn.plan(withReports(seen, reports));
  }

  /// A KEK counts from the moment it is first seen.
  static TurnPlan doesNotLetAKekSettle(ObservedState seen) {
    var reports = new ArrayList<HealthReport>();
    for (HealthReport report : seen.activity().reports()) {
      reports.add(
          new HealthReport(
              report.node(),
              report.serial(),
              report.status(),
              report.lastChecked(),
              report.kek(),
              report.statusSince(),
              report.kekSince().map(since -> since.minusSeconds(600)),
              report.kekBefore(),
              Optional.empty(),
              report.detail(),
              report.warnings()));
    }
    return Turn.plan(withReports(seen, reports));
  }

  private static HealthReport spoken(String node, HealthReport first, Optional<KekId> kek) {
    return new HealthReport(
        node,
        first.serial(),
        first.status(),
        first.lastChecked(),
        kek,
        first.statusSince(),
        first.kekSince(),
        first.kekBefore(),
        first.detail());
  }

  private static ObservedState withReports(ObservedState seen, List<HealthReport> reports) {
    var activity = seen.activity();
    return seen.with(
        new Activity(activity.migrations(), activity.preflight(), reports, activity.audit()));
  }
}
