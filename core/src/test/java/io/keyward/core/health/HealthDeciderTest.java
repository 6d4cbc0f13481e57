package io.keyward.core.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.core.Notation;
import io.keyward.core.health.HealthDecision.Degraded;
import io.keyward.core.health.HealthDecision.Healthy;
import io.keyward.core.health.HealthDecision.NotKms;
import io.keyward.core.health.HealthDecision.NotYetObserved;
import io.keyward.core.health.HealthDecision.Stale;
import io.keyward.core.model.ObservedState;
import io.keyward.core.model.Stored;
import io.keyward.core.model.key.Key;
import io.keyward.core.model.key.KeySerial;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.HealthReport.Status;
import io.keyward.core.model.kms.KekId;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.Optional;
import java.util.stream.Collectors;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

/// W1 and W9. Reports are `node:key status age [since]`, separated by semicolons.
final class HealthDeciderTest {
  @ParameterizedTest(name = "W9: {0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                               | runs    | keys          | reports                                                 | decision
          no KMS                               | w1 r1   | 1:aes         | -                                                       | not KMS
          reports of a KMS that was turned off | w1 r1   | 1:aes         | a:9 healthy PT1S                                        | not KMS, orphans a:9
          all well                             | w1 r1   | 1:kmsA        | a:1 healthy PT1S; b:1 healthy PT1S                      | healthy
          nobody has looked yet                | w1 r1   | 1:kmsA        | a:1 healthy PT1S                                        | not yet observed: key 1 on b
          a report of another key is none      | w2 r2,1 | 2:kmsA 1:kmsB | a:2 healthy PT1S; b:2 healthy PT1S; a:1 healthy PT1S    | not yet observed: key 1 on b
          the oldest report that counts        | w1 r1   | 1:kmsA        | a:1 healthy PT120S; b:1 healthy PT1S                    | healthy
          a report that is too old             | w1 r1   | 1:kmsA        | a:1 healthy PT121S; b:1 healthy PT1S                    | stale: key 1 on a
          one dropped probe flips nothing      | w1 r1   | 1:kmsA        | a:1 error PT1S PT19S; b:1 healthy PT1S                  | healthy
          two in a row do                      | w1 r1   | 1:kmsA        | a:1 error PT1S PT20S; b:1 healthy PT1S                  | degraded: key 1 on a
          unhealthy counts like an error       | w1 r1   | 1:kmsA        | a:1 unhealthy PT1S PT20S; b:1 healthy PT1S              | degraded: key 1 on a
          bad beats stale                      | w1 r1   | 1:kmsA        | a:1 error PT1S PT20S; b:1 healthy PT121S                | degraded: key 1 on a
          stale beats missing                  | w1 r1   | 1:kmsA        | a:1 healthy PT121S                                      | stale: key 1 on a
          a node that is gone                  | w1 r1   | 1:kmsA        | a:1 healthy PT1S; b:1 healthy PT1S; c:1 error PT1S PT1H | healthy, orphans c:1
          a key that is gone                   | w1 r1   | 1:kmsA        | a:1 healthy PT1S; b:1 healthy PT1S; a:2 error PT1S PT1H | healthy, orphans a:2
          """)
  void decides(String name, String runs, String keys, String reports, String decision) {
    var list = new ArrayList<HealthReport>();
    if (!reports.equals("-")) {
      List.of(reports.split("; ", -1)).forEach(text -> list.add(report(text)));
    }
    var seen =
        new Notation().wanted("kmsA").keys(keys).rollout(runs).published("=").reports(list).state();
    assertThat(show(HealthDecider.decide(seen))).as(name).isEqualTo(decision);
  }

  @Test
  void w9PluginsOfAnyConfigurationCount() {
    var bad = List.of(report("a:1 error PT1S PT20S"));
    var rolling = new Notation().wanted("kmsA").keys("1:kmsA").rollout("rolling");
    assertThat(show(HealthDecider.decide(rolling.published("w1 r1").reports(bad).state())))
        .isEqualTo("degraded: key 1 on a");
    var unwritten = new Notation().wanted("kmsA").keys("1:kmsA").rollout("w1 r1").published("-");
    assertThat(show(HealthDecider.decide(unwritten.reports(bad).state())))
        .isEqualTo("degraded: key 1 on a");
  }

  @Test
  void w9AReportThatVoidsARecordStaysUntilTheRecordIsTakenBack() {
    var seen = seenWithRecord(Notation.NOW.minusSeconds(600));
    assertThat(HealthDecider.decide(seen).orphans()).isEmpty();
    var later = seenWithRecord(Notation.NOW.minusSeconds(10));
    assertThat(HealthDecider.decide(later).orphans()).hasSize(1);
  }

  private static ObservedState seenWithRecord(Instant since) {
    var gone =
        new HealthReport(
            "gone",
            new KeySerial(1),
            HealthReport.Status.HEALTHY,
            Notation.NOW.minusSeconds(60),
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
            .reports(List.of(gone))
            .state();
    Key key = seen.stored().secrets().getFirst();
    Key recorded =
        key.with(
            key.migrated()
                .with(
                    Notation.SECRETS,
                    Optional.of(new KekId("A")),
                    Optional.of(since),
                    Notation.NOW));
    return new ObservedState(
        seen.at(),
        seen.component(),
        seen.wanted(),
        new Stored(List.of(recorded), List.of(), seen.stored().published()),
        seen.rollout(),
        seen.activity(),
        List.of(),
        seen.settings());
  }

  private static HealthReport report(String text) {
    String[] words = text.split(" ", -1);
    String[] who = words[0].split(":", -1);
    return new HealthReport(
        who[0],
        new KeySerial(Long.parseLong(who[1])),
        Status.valueOf(words[1].toUpperCase(Locale.ROOT)),
        Notation.NOW.minus(Duration.parse(words[2])),
        Optional.empty(),
        words.length > 3
            ? Optional.of(Notation.NOW.minus(Duration.parse(words[3])))
            : Optional.empty(),
        Optional.empty(),
        "");
  }

  private static String show(HealthDecision decision) {
    String word =
        switch (decision) {
          case NotKms _ -> "not KMS";
          case Healthy _ -> "healthy";
          case NotYetObserved(var missing, _) -> "not yet observed: " + String.join(", ", missing);
          case Stale(var plugins, _) -> "stale: " + String.join(", ", plugins);
          case Degraded(var plugins, _) -> "degraded: " + String.join(", ", plugins);
        };
    return decision.orphans().isEmpty()
        ? word
        : word
            + ", orphans "
            + decision.orphans().stream()
                .map(orphan -> orphan.node() + ":" + orphan.serial())
                .collect(Collectors.joining(" "));
  }
}
