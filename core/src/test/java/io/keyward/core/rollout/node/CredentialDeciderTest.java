package io.keyward.core.rollout.node;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import java.time.temporal.ChronoUnit;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class CredentialDeciderTest {
  private static final Instant SIGNED = Instant.parse("2026-01-01T00:00:00Z");

  /// A certificate that is valid for 100 days.
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                                   | hour | decision
          the clock of the node is behind          | -1   | not valid before 2026-01-01T00:00:00Z
          new                                      | 0    | valid
          the kubelet has time to renew it         | 2159 | valid
          the kubelet should have renewed it       | 2160 | should have been renewed by 2026-04-01T00:00:00Z
          its last hour                            | 2399 | expires at 2026-04-11T00:00:00Z
          expired                                  | 2400 | expired at 2026-04-11T00:00:00Z
          """)
  void tellsWhetherACertificateIsRenewedInTime(String name, long hour, String decision) {
    Instant end = SIGNED.plus(100, ChronoUnit.DAYS);
    String words =
        switch (CredentialDecider.decide(SIGNED, end, SIGNED.plus(hour, ChronoUnit.HOURS))) {
          case CredentialDecision.Valid(Instant until) -> {
            assertThat(until).isEqualTo(end);
            yield "valid";
          }
          case CredentialDecision.RenewalOverdue(Instant until, String overdue) -> {
            assertThat(until).isEqualTo(end);
            yield overdue;
          }
          case CredentialDecision.Unusable(String unusable) -> unusable;
        };
    assertThat(words).as(name).contains(decision);
  }
}
