package io.keyward.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.KekId;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;

final class ReportHistoryTest {
  private static final Instant NOW = Instant.parse("2026-01-02T03:04:10Z");
  private static final Instant AHEAD = NOW.plusSeconds(3600);

  private ReportHistory history = ReportHistory.EMPTY;

  /// By how much the clock of the operator is behind.
  private Duration behind = Duration.ZERO;

  private ReportHistory.Look at(Instant now) {
    return new ReportHistory.Look(now, Duration.between(NOW, now).plus(behind));
  }

  private HealthReport complete(
      Optional<Instant> statusSince, Optional<Instant> kekSince, Instant now) {
    var report =
        new HealthReport(
            "a",
            new KeySerial(3),
            HealthReport.Status.ERROR,
            NOW,
            Optional.of(new KekId("k1")),
            statusSince,
            kekSince,
            "");
    history = history.after(List.of(report), at(now));
    return history.complete(List.of(report)).getFirst();
  }

  @Test
  void aTimeOfThePastCounts() {
    var status = Optional.of(NOW.minusSeconds(300));
    var kek = Optional.of(NOW.minusSeconds(90_000));
    HealthReport report = complete(status, kek, NOW);
    assertThat(report.statusSince()).isEqualTo(status);
    assertThat(report.kekSince()).isEqualTo(kek);
  }

  /// Of a monitor that is not Keyward's, or an older agent.
  @Test
  void aReportWithoutTimesCountsFromWhenItWasFirstSeen() {
    complete(Optional.empty(), Optional.empty(), NOW);
    HealthReport report = complete(Optional.empty(), Optional.empty(), NOW.plusSeconds(90));
    assertThat(report.statusSince()).contains(NOW);
    assertThat(report.kekSince()).contains(NOW);
  }

  /// The clock of a node runs an hour ahead.
  @Test
  void aTimeToComeCountsFromWhenItWasFirstSeenAndStaysSo() {
    for (long later : new long[] {0, 60, 7200}) {
      HealthReport report =
          complete(Optional.of(AHEAD), Optional.of(AHEAD), NOW.plusSeconds(later));
      assertThat(report.statusSince()).contains(NOW);
      assertThat(report.kekSince()).contains(NOW);
    }
    // The plugin had another KEK and has this one again.
    Instant later = NOW.plusSeconds(600);
    var again = Optional.of(AHEAD.plusSeconds(600));
    assertThat(complete(Optional.of(AHEAD), again, later).kekSince()).contains(later);
  }

  private HealthReport look(String kek, Instant told, Instant now) {
    var report =
        new HealthReport(
            "a",
            new KeySerial(3),
            HealthReport.Status.HEALTHY,
            now,
            Optional.of(new KekId(kek)),
            Optional.of(told),
            Optional.of(told),
            "");
    history = history.after(List.of(report), at(now));
    return history.complete(List.of(report)).getFirst();
  }

  @Test
  void aChangeOfTheKekCountsFromWhenItWasSeen() {
    Instant told = NOW.minusSeconds(600);
    assertThat(look("k1", told, NOW).changeSeen()).isEmpty();
    // The clock of the node is behind.
    Instant change = NOW.plusSeconds(30);
    assertThat(look("k2", NOW.minusSeconds(70), change).changeSeen()).contains(change);
    HealthReport later = look("k2", NOW.minusSeconds(70), NOW.plusSeconds(90));
    assertThat(later.changeSeen()).contains(change);
    // The next operator finds the same time, so that its migrations go on.
    assertThat(later.kekSince()).contains(NOW.minusSeconds(70));
  }

  /// It had another one in between.
  @Test
  void anotherTimeOfTheSameKekIsAChange() {
    look("k1", NOW.minusSeconds(600), NOW);
    Instant change = NOW.plusSeconds(30);
    assertThat(look("k1", NOW, change).changeSeen()).contains(change);
  }

  /// The time of the change in the report is by the clock of the node, which is right.
  @Test
  void aChangeStaysAsLongAgoAsItWasWhenTheOperatorsClockIsSet() {
    behind = Duration.ofMinutes(10);
    Instant change = NOW.plus(behind);
    look("k1", NOW.minusSeconds(600), NOW);
    look("k2", change, NOW.plusSeconds(10));
    behind = Duration.ZERO;
    HealthReport later = look("k2", change, change.plusSeconds(20));
    assertThat(later.changeSeen()).contains(change.plusSeconds(10));
    assertThat(later.kekSinceAtLatest(change.plusSeconds(20))).isEqualTo(change.plusSeconds(10));
  }

  /// A change must not look older than it is.
  @Test
  void aClockThatIsSetBackChangesNothing() {
    look("k1", NOW.minusSeconds(600), NOW);
    Instant change = NOW.plusSeconds(30);
    look("k2", change, change);
    behind = Duration.ofMinutes(10);
    assertThat(look("k2", change, NOW.minusSeconds(300)).changeSeen()).contains(change);
  }
}
