package io.keyward.codec;

import java.time.Instant;
import java.time.OffsetDateTime;
import java.time.format.DateTimeParseException;
import java.time.temporal.ChronoUnit;
import java.util.Optional;

/// Times as the Kubernetes API writes them.
public final class Times {
  private Times() {}

  /// Empty where the text is no time.
  public static Optional<Instant> parse(String text) {
    try {
      return text.isEmpty()
          ? Optional.empty()
          : Optional.of(OffsetDateTime.parse(text).toInstant());
    } catch (DateTimeParseException _) {
      return Optional.empty();
    }
  }

  /// Whole seconds, as `metav1.Time` stores them.
  public static String seconds(Instant time) {
    return time.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
