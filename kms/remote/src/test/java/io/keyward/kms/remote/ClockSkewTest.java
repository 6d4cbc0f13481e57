package io.keyward.kms.remote;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Instant;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;

final class ClockSkewTest {
  @ParameterizedTest(name = "{0}")
  @CsvSource(
      delimiter = '|',
      textBlock =
          """
          # case                  | their date                    | ours                 | says
          the same                | Sun, 01 Mar 2026 12:00:00 GMT | 2026-03-01T12:00:00Z | nothing
          a slow answer           | Sun, 01 Mar 2026 12:00:00 GMT | 2026-03-01T12:00:30Z | nothing
          ours is ahead           | Sun, 01 Mar 2026 12:00:00 GMT | 2026-03-01T12:00:31Z | 31 s ahead of that
          ours is behind          | Sun, 01 Mar 2026 12:00:00 GMT | 2026-03-01T11:50:00Z | 600 s behind that
          another year            | Sat, 01 Mar 2025 12:00:00 GMT | 2026-03-01T12:00:00Z | 31536000 s ahead of that
          no date                 | ''                            | 2026-03-01T12:00:00Z | nothing
          not a date              | yesterday                     | 2026-03-01T12:00:00Z | nothing
          a day that is not there | Sun, 31 Feb 2026 12:00:00 GMT | 2026-03-01T12:00:00Z | nothing
          """)
  void says(String name, String date, Instant now, String words) {
    assertThat(ClockSkew.warning(date, now).orElse("nothing")).contains(words);
  }
}
