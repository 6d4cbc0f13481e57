package io.keyward.core.rotation;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.HealthReport.Status;
import io.keyward.core.model.kms.KekId;
import io.keyward.core.rotation.RotationDecision.Disagree;
import io.keyward.core.rotation.RotationDecision.NotApplicable;
import io.keyward.core.rotation.RotationDecision.Remigrate;
import io.keyward.core.rotation.RotationDecision.Settling;
import io.keyward.core.rotation.RotationDecision.Silent;
import io.keyward.core.rotation.RotationDecision.Steady;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// W4. Reports are `KEK/age of the report/age of the KEK`, `x` before it is unhealthy.
final class RotationDeciderTest {
  @ParameterizedTest(name = "W4: {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                    | runs    | node a          | node b          | recorded | decision
          instances roll                            | rolling | A/PT1S/PT1H     | A/PT1S/PT1H     | A        | not applicable
          no KMS key writes                         | w- r1   | A/PT1S/PT1H     | A/PT1S/PT1H     | -        | not applicable
          all as recorded                           | w1 r1   | A/PT1S/PT1H     | A/PT1S/PT1H     | A        | steady A
          all report a new KEK                      | w1 r1   | B/PT1S/PT1H     | B/PT1S/PT1H     | A        | remigrate B
          nothing was recorded yet                  | w1 r1   | A/PT1S/PT1H     | A/PT1S/PT1H     | -        | remigrate A
          a return to the old KEK is a rotation too | w1 r1   | A/PT1S/PT1H     | A/PT1S/PT1H     | B        | remigrate A
          not long enough                           | w1 r1   | B/PT1S/PT3M59S  | B/PT1S/PT1H     | A        | settling B
          just long enough                          | w1 r1   | B/PT1S/PT4M1S   | B/PT1S/PT1H     | A        | remigrate B
          as its report shows it                    | w1 r1   | B/PT1S/PT4M     | B/PT1S/PT1H     | A        | settling B
          a clock that is behind                    | w1 r1   | B/PT100S/PT339S | B/PT1S/PT1H     | A        | settling B
          a clock that is behind, and long enough   | w1 r1   | B/PT100S/PT340S | B/PT1S/PT1H     | A        | remigrate B
          a clock that is ahead                     | w1 r1   | B/PT-1H/PT4M    | B/PT1S/PT1H     | A        | remigrate B
          a monitor that does not say since when    | w1 r1   | B/PT1S/-        | B/PT1S/PT1H     | A        | settling B
          a KEK that flickers settles again          | w1 r1   | A/PT1S/PT5S     | A/PT1S/PT1H     | A        | settling A
          nodes differ                              | w1 r1   | A/PT1S/PT1H     | B/PT1S/PT1H     | A        | disagree a=A b=B
          a silent node                             | w1 r1   | B/PT1S/PT1H     | -               | A        | silent b
          the oldest report that counts             | w1 r1   | A/PT120S/PT1H   | A/PT1S/PT1H     | A        | steady A
          a report that is too old                  | w1 r1   | A/PT121S/PT1H   | A/PT1S/PT1H     | A        | silent a
          an unhealthy plugin proves nothing        | w1 r1   | xB/PT1S/PT1H    | B/PT1S/PT1H     | A        | silent a
          """)
  void decides(String name, String runs, String a, String b, String recorded, String decision) {
    var reports = new ArrayList<HealthReport>();
    report("a", a).ifPresent(reports::add);
    report("b", b).ifPresent(reports::add);
    report("gone", "C/PT1S/PT1H").ifPresent(reports::add);
    var seen =
        recorded(
            new Notation()
                .wanted("kmsA")
                .keys("1:kmsA+")
                .rollout(runs)
                .published("=")
                .reports(reports)
                .state(),
            recorded);
    assertThat(show(RotationDecider.decide(seen))).as(name).isEqualTo(decision);
  }

  @Test
  void w4OnlyAKeyOfAKmsThatHasItsSecretRotates() {
    for (String key : List.of("1:aes+", "1:kmsA!")) {
      var seen = new Notation().wanted("kmsA").keys(key).rollout("w1 r1").published("=").state();
      assertThat(show(RotationDecider.decide(seen))).as(key).isEqualTo("not applicable");
    }
  }

  /// The clock of the node was behind when the KEK changed, and was corrected.
  @Test
  void w4AChangeThatTheOperatorSawCountsFromThen() {
    Instant seenAt = Notation.NOW.minusSeconds(239);
    for (var changeSeen : List.of(Optional.of(seenAt), Optional.of(seenAt.minusSeconds(1)))) {
      var reports = new ArrayList<HealthReport>();
      report("a", "B/PT0S/PT1H").map(one -> changed(one, changeSeen)).ifPresent(reports::add);
      report("b", "B/PT0S/PT1H").ifPresent(reports::add);
      var seen =
          new Notation()
              .wanted("kmsA")
              .keys("1:kmsA+")
              .rollout("w1 r1")
              .published("=")
              .reports(reports)
              .state();
      assertThat(show(RotationDecider.decide(seen)))
          .isEqualTo(changeSeen.equals(Optional.of(seenAt)) ? "settling B" : "remigrate B");
    }
  }

  /// Another text of a condition is another write, and each write wakes the operator.
  @Test
  void w4TheTimeInTheConditionDoesNotMoveWithTheClock() {
    var reports = new ArrayList<HealthReport>();
    report("a", "B/PT20S/PT3M").ifPresent(reports::add);
    report("b", "B/PT30S/PT3M").ifPresent(reports::add);
    ObservedState state =
        new Notation()
            .wanted("kmsA")
            .keys("1:kmsA+")
            .rollout("w1 r1")
            .published("=")
            .reports(reports)
            .state();
    var decisions = new HashSet<RotationDecision>();
    for (int second = 0; second < 60; second += 20) {
      decisions.add(RotationDecider.decide(later(state, second)));
    }
    assertThat(decisions)
        .singleElement()
        .isInstanceOfSatisfying(
            RotationDecision.Settling.class,
            one -> assertThat(one.until()).isEqualTo(Notation.NOW.plusSeconds(60)));
  }

  private static ObservedState later(ObservedState seen, int seconds) {
    return new ObservedState(
        seen.at().plusSeconds(seconds),
        seen.component(),
        seen.wanted(),
        seen.stored(),
        seen.rollout(),
        seen.activity(),
        seen.conditions(),
        seen.settings());
  }

  private static HealthReport changed(HealthReport report, Optional<Instant> changeSeen) {
    return new HealthReport(
        report.node(),
        report.serial(),
        report.status(),
        report.lastChecked(),
        report.kek(),
        report.statusSince(),
        report.kekSince(),
        report.kekBefore(),
        changeSeen,
        report.detail(),
        List.of());
  }

  @Test
  void w4ReportsOfAnotherKeyTellNothing() {
    var other =
        new HealthReport(
            "a",
            new KeySerial(2),
            Status.HEALTHY,
            Notation.NOW,
            Optional.of(new KekId("B")),
            Optional.empty(),
            Optional.empty(),
            "");
    var seen =
        new Notation()
            .wanted("kmsA")
            .keys("1:kmsA+")
            .rollout("w1 r1")
            .published("=")
            .reports(List.of(other))
            .state();
    RotationDecision decision = RotationDecider.decide(seen);
    assertThat(show(decision)).isEqualTo("silent a,b");
    assertThat(RotationDecider.sight(seen, decision).reports()).isEmpty();
  }

  @Test
  void w4TheSightKnowsSinceWhenAndWhatEveryReportTells() {
    var reports = new ArrayList<HealthReport>();
    report("a", "A/PT1S/PT2H").ifPresent(reports::add);
    report("b", "A/PT1S/PT1H").ifPresent(reports::add);
    report("gone", "C/PT3H/PT9H").ifPresent(reports::add);
    var seen =
        new Notation()
            .wanted("kmsA")
            .keys("1:kmsA+")
            .rollout("w1 r1")
            .published("=")
            .reports(reports)
            .state();
    var sight = RotationDecider.sight(seen, RotationDecider.decide(seen));
    assertThat(sight.settled()).contains(new KekId("A"));
    assertThat(sight.since()).contains(Notation.NOW.minus(Duration.ofHours(1)));
    assertThat(sight.reports()).hasSize(3);
    var recorded = Optional.of(new KekId("A"));
    Instant before = Notation.NOW.minus(Duration.ofHours(4));
    assertThat(sight.voids(recorded, Optional.of(before))).isTrue();
    assertThat(sight.voids(recorded, Optional.of(before.plus(Duration.ofHours(2))))).isFalse();
    assertThat(sight.voids(recorded, Optional.empty())).isFalse();
    assertThat(sight.voids(Optional.empty(), Optional.of(before))).isFalse();
  }

  @Test
  void w4AnUnsettledSightShowsEveryKekOfTheNodes() {
    var reports = new ArrayList<HealthReport>();
    report("a", "A/PT1S/PT2H").ifPresent(reports::add);
    report("b", "B/PT1S/PT1H").ifPresent(reports::add);
    var seen =
        new Notation()
            .wanted("kmsA")
            .keys("1:kmsA+")
            .rollout("w1 r1")
            .published("=")
            .reports(reports)
            .state();
    var sight = RotationDecider.sight(seen, RotationDecider.decide(seen));
    assertThat(sight.settled()).isEmpty();
    assertThat(sight.seen()).containsExactlyInAnyOrder(new KekId("A"), new KekId("B"));
    assertThat(sight.voids(Optional.of(new KekId("A")), Optional.empty())).isTrue();
  }

  private static Optional<HealthReport> report(String node, String text) {
    if (text.equals("-")) {
      return Optional.empty();
    }
    boolean bad = text.startsWith("x");
    String[] words = text.substring(bad ? 1 : 0).split("/", -1);
    return Optional.of(
        new HealthReport(
            node,
            new KeySerial(1),
            bad ? Status.UNHEALTHY : Status.HEALTHY,
            Notation.NOW.minus(Duration.parse(words[1])),
            Optional.of(new KekId(words[0])),
            Optional.empty(),
            words[2].equals("-")
                ? Optional.empty()
                : Optional.of(Notation.NOW.minus(Duration.parse(words[2]))),
            ""));
  }

  private static ObservedState recorded(ObservedState seen, String kek) {
    var secrets = new ArrayList<Key>();
    for (Key key : seen.stored().secrets()) {
      Optional<KekId> id = kek.equals("-") ? Optional.empty() : Optional.of(new KekId(kek));
      secrets.add(
          key.with(
              key.migrated()
                  .with(Notation.SECRETS, id, Notation.NOW)
                  .with(Notation.CONFIGMAPS, id, Notation.NOW)));
    }
    return new ObservedState(
        seen.at(),
        seen.component(),
        seen.wanted(),
        new Stored(secrets, List.of(), seen.stored().published()),
        seen.rollout(),
        seen.activity(),
        List.of(),
        seen.settings());
  }

  private static String show(RotationDecision decision) {
    return switch (decision) {
      case NotApplicable _ -> "not applicable";
      case Silent(var nodes, _) -> "silent " + String.join(",", nodes);
      case Disagree(var nodes) ->
          "disagree "
              + String.join(
                  " ",
                  nodes.entrySet().stream().map(e -> e.getKey() + "=" + e.getValue()).toList());
      case Settling(var kek, _) -> "settling " + kek;
      case Steady(var kek) -> "steady " + kek;
      case Remigrate(var kek, _) -> "remigrate " + kek;
    };
  }
}
