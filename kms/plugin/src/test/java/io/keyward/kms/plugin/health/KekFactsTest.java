package io.keyward.kms.plugin.health;

import static org.assertj.core.api.Assertions.assertThat;

import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KekReport.State;
import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class KekFactsTest {
  private static final Instant NOW = Instant.parse("2026-01-15T00:00:00Z");

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                    | state            | key ends | credentials | warning
          nothing to say            | ENABLED          | -        | -           | -
          the KMS does not say      | UNKNOWN          | -        | -           | -
          disabled                  | DISABLED         | -        | -           | is disabled
          to be deleted             | PENDING_DELETION | -        | -           | waits for its deletion
          expired                   | EXPIRED          | -        | -           | has expired
          an end that is far away   | ENABLED          | P31D     | -           | -
          an end in a month         | ENABLED          | P30D     | -           | until 2026-02-14T00:00:00Z, less than 30 days
          an end in a week          | ENABLED          | P6D      | -           | less than 7 days
          an end in hours           | ENABLED          | PT5H     | -           | less than 1 day
          the end was               | ENABLED          | PT0S     | -           | only until 2026-01-15
          credentials that renew    | ENABLED          | -        | PT5M        | -
          credentials that ended    | ENABLED          | -        | PT-1S       | credentials for the KMS ended
          """)
  void warns(String name, State state, String end, String credentials, String warning) {
    var report = new KekReport(state, at(end), at(credentials), List.of());
    List<String> warnings = KekFacts.of(report, NOW).warnings();
    if (warning.equals("-")) {
      assertThat(warnings).isEmpty();
    } else {
      assertThat(warnings).singleElement().asString().contains(warning);
    }
  }

  private static Optional<Instant> at(String left) {
    return left.equals("-") ? Optional.empty() : Optional.of(NOW.plus(Duration.parse(left)));
  }

  @Test
  void keepsTheProvidersOwnWords() {
    var report =
        new KekReport(State.ENABLED, Optional.empty(), Optional.empty(), List.of("be careful"));
    assertThat(KekFacts.of(report, NOW).warnings()).containsExactly("be careful");
  }

  @Test
  void aKmsThatGivesNoReportIsAWarningAndNotItsLastReport() {
    KekFacts facts = KekFacts.failed(new KmsException(Kind.DENIED, "no permission"), NOW);
    assertThat(facts.warnings())
        .containsExactly("the KMS gives no report on the key: no permission");
    assertThat(facts.report()).isEqualTo(KekReport.NOTHING);
    assertThat(facts.objection()).isEmpty();
    assertThat(facts.risks())
        .as("a missing permission to read it does not put a key at risk")
        .isEmpty();
    assertThat(KekFacts.failed(new KmsException(Kind.UNKNOWN_KEK, "no such key"), NOW).risks())
        .as("a key that is gone")
        .isNotEmpty();
    assertThat(KekFacts.failed(new KmsException(Kind.UNKNOWN_KEK, "no such key"), NOW).objection())
        .as("it tells a missing key from a missing permission")
        .contains("no such key");
    assertThat(KekFacts.failed(new KmsException(Kind.TIMEOUT, "late"), NOW).warnings())
        .as("an outage is not told twice")
        .isEmpty();
  }
}
