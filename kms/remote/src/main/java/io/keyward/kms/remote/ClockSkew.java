package io.keyward.kms.remote;

import java.time.DateTimeException;
import java.time.Duration;
import java.time.Instant;
import java.time.format.DateTimeFormatter;
import java.util.Optional;

/// How far this machine's clock is from a KMS's, by the `Date` header of an answer. Pure.
public final class ClockSkew {
  /// Below what logins and signatures forgive, above what a slow answer and full seconds explain.
  private static final Duration FORGIVEN = Duration.ofSeconds(30);

  private ClockSkew() {}

  /// A sentence with what to do; empty where the clocks agree, or the header says nothing.
  ///
  /// @param date as the server wrote it
  /// @param now by this machine's clock
  public static Optional<String> warning(String date, Instant now) {
    return instant(date)
        .map(theirs -> Duration.between(theirs, now))
        .filter(ahead -> ahead.abs().compareTo(FORGIVEN) > 0)
        .map(ahead ->
            "this machine's clock is "
                + ahead.abs().toSeconds()
                + (ahead.isNegative() ? " s behind" : " s ahead of")
                + " that of the KMS: set it right, since logins and certificates depend on it");
  }

  private static Optional<Instant> instant(String date) {
    try {
      return Optional.of(DateTimeFormatter.RFC_1123_DATE_TIME.parse(date, Instant::from));
    } catch (DateTimeException _) {
      return Optional.empty();
    }
  }
}
