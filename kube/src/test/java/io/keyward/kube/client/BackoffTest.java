package io.keyward.kube.client;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

public final class BackoffTest {
  private static final Duration LONGEST = Duration.ofMinutes(2);

  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                              | asked | before | pause
          a failure                           | -     | 0      | PT0.1S
          less often each time                | -     | 3      | PT0.8S
          but not seldom                      | -     | 7      | PT10S
          however long it lasts               | -     | 90     | PT10S
          what is asked for                   | PT7S  | 0      | PT7S
          also where it was in vain before    | PT7S  | 9      | PT7S
          no time at all would be a storm     | PT0S  | 0      | PT0.1S
          a long time is kept                 | PT2M  | 0      | PT2M
          a time that is too long is a limit  | PT2H  | 0      | PT2M
          """)
  void waits(String name, String asked, int before, Duration pause) {
    Optional<Duration> wanted =
        asked.equals("-") ? Optional.empty() : Optional.of(Duration.parse(asked));
    assertThat(Backoff.pause(wanted, before, LONGEST)).as(name).isEqualTo(pause);
  }
}
