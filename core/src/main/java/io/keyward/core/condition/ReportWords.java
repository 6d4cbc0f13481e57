package io.keyward.core.condition;

import io.keyward.core.model.Condition;
import io.keyward.core.model.Condition.Status;
import io.keyward.core.model.ObservedState;
import io.keyward.core.narrator.Narrator;
import io.keyward.core.rotation.RotationDecision;
import java.time.Duration;

/// Whether all nodes report the same KEK, under the names of OpenShift's controllers.
final class ReportWords {
  private static final String PROGRESSING = "KmsHealthReportsProgressing";
  private static final String DEGRADED = "KmsHealthReportsDegraded";
  private static final String REASON = "HealthReportsNotConverged";

  /// A rotation reaches all nodes within minutes.
  private static final Duration TOO_LONG = Duration.ofHours(1);

  private ReportWords() {}

  static Words progressing(Decisions decisions) {
    String open = open(decisions);
    return open.isEmpty() ? Words.no(PROGRESSING) : Words.yes(PROGRESSING, REASON, open);
  }

  static Words degraded(ObservedState seen, Decisions decisions) {
    String open = open(decisions);
    boolean isLate =
        Words.before(PROGRESSING, seen)
            .filter(one -> one.status() == Status.TRUE)
            .map(Condition::since)
            .filter(since -> !seen.at().isBefore(since.plus(TOO_LONG)))
            .isPresent();
    return open.isEmpty() || !isLate
        ? Words.no(DEGRADED)
        : Words.yes(DEGRADED, REASON, "for more than an hour: " + open);
  }

  private static String open(Decisions decisions) {
    return switch (decisions.rotation()) {
      case RotationDecision.Disagree differ -> Narrator.of(differ);
      case RotationDecision.Silent silent -> Narrator.of(silent);
      case RotationDecision.NotApplicable _,
          RotationDecision.Steady _,
          RotationDecision.Settling _,
          RotationDecision.Remigrate _ ->
          "";
    };
  }
}
