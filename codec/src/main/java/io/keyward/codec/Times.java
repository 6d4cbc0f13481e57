package io.keyward.codec;

import java.time.DateTimeException;
import java.time.Instant;
import java.time.LocalDateTime;
import java.time.OffsetDateTime;
import java.time.ZoneOffset;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Times as the Kubernetes API writes them.
public final class Times {
  /// Each zero stands for a digit.
  private static final String SECONDS = "0000-00-00T00:00:00Z";

  private Times() {}

  /// Empty where the text is no time.
  public static Optional<Instant> parse(String text) {
    try {
      // Kubernetes writes nothing else, and reports are read often: the general parser costs ten
      // times as much.
      if (isWholeSecondsInUtc(text)) {
        return Optional.of(
            LocalDateTime.of(
                    digits(text, 0, 4),
                    digits(text, 5, 7),
                    digits(text, 8, 10),
                    digits(text, 11, 13),
                    digits(text, 14, 16),
                    digits(text, 17, 19))
                .toInstant(ZoneOffset.UTC));
      }
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }

  private static boolean isWholeSecondsInUtc(String text) {
    if (text.length() != SECONDS.length()) {
      return false;
    }
    for (int i = 0; i < SECONDS.length(); i++) {
      char c = text.charAt(i);
      char expected = SECONDS.charAt(i);
      if (expected == '0' ? c < '0' || c > '9' : c != expected) {
        return false;
      }
    }
    return true;
  }

  private static int digits(String text, int from, int to) {
    return Integer.parseInt(text, from, to, 10);
  }

  /// Whole seconds, as `metav1.Time` stores them.
  public static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
