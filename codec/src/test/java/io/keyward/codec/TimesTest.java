package io.keyward.codec;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.OffsetDateTime;
import java.util.Optional;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;

final class TimesTest {
  /// Whole seconds in UTC have a parser of their own, which must not differ from the general one.
  @ParameterizedTest
  @ValueSource(
      strings = {
        "",
        "2026-11-18T08:00:00Z",
        "0000-01-01T00:00:00Z",
        "2024-02-29T23:59:59Z",
        "2026-02-29T00:00:00Z",
        "2026-13-01T00:00:00Z",
        "2026-11-18T24:00:00Z",
        "2026-11-18T08:60:00Z",
        "2016-12-31T23:59:60Z",
        "2026-11-18t08:00:00z",
        "2026-11-18 08:00:00Z",
        "2026-11-18T08:00:0xZ",
        "2026-11-18T08:00:00+",
        "+026-11-18T08:00:00Z",
        "2026-11-18T08:00:00.5Z",
        "2026-11-18T08:00:00+01:00",
        "2026-11-18T08:00Z",
        "٢٠٢٦-11-18T08:00:00Z"
      })
  void readsTheSameAsTheGeneralParser(String text) {
    assertThat(Times.parse(text)).isEqualTo(general(text));
  }

  private static Optional<Instant> general(String text) {
    try {
      return Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
