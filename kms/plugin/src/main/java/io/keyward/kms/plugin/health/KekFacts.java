package io.keyward.kms.plugin.health;

import io.keyward.kms.spi.KekReport;
import io.keyward.kms.spi.KekReport.State;
import io.keyward.kms.spi.KmsException;
import java.time.Duration;
import java.time.Instant;
import java.time.temporal.ChronoUnit;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;

/// What the KMS last said about a KEK, and what follows from it. Immutable and pure.
///
/// @param at when it said so; empty until it was asked
/// @param warnings what an admin should know before it becomes an outage
/// @param objection why the KMS may refuse the key, in its own terms; empty if it says nothing
///   against it
public record KekFacts(
    KekReport report, Optional<Instant> at, List<String> warnings, Optional<String> objection) {
  public static final KekFacts NONE =
      new KekFacts(KekReport.NOTHING, Optional.empty(), List.of(), Optional.empty());

  /// How long before its end a KEK is warned about, again and again closer to it. Each step is one
  /// log line.
  private static final List<Duration> BEFORE_THE_END =
      List.of(Duration.ofDays(1), Duration.ofDays(7), Duration.ofDays(30));

  public KekFacts {
    warnings = List.copyOf(warnings);
  }

  static KekFacts of(KekReport report, Instant now) {
    var warnings = new ArrayList<String>();
    stateWords(report.state()).map(KekFacts::reported).ifPresent(warnings::add);
    report.usableUntil().flatMap(end -> endWords(end, now)).ifPresent(warnings::add);
    report
        .credentialsUntil()
        .filter(end -> !end.isAfter(now))
        .ifPresent(end -> warnings.add("the credentials for the KMS ended at " + seconds(end)));
    warnings.addAll(report.warnings());
    Optional<String> objection = stateWords(report.state()).map(KekFacts::reported);
    return new KekFacts(report, Optional.of(now), warnings, objection);
  }

  /// The warnings about the key itself. A KMS that gives no report on it for another reason than
  /// that the key is gone, for example for a missing permission, does not put it at risk.
  public List<String> risks() {
    return report.equals(KekReport.NOTHING) && objection.isEmpty() ? List.of() : warnings;
  }

  /// The KMS was asked and did not tell. What it told before may be old, so it is not repeated.
  static KekFacts failed(KmsException failure, Instant now) {
    boolean outage =
        switch (failure.kind()) {
          // The key's health tells it already.
          case UNAVAILABLE, TIMEOUT, THROTTLED -> true;
          case DENIED, UNKNOWN_KEK, CORRUPT, INTERNAL -> false;
        };
    return new KekFacts(
        KekReport.NOTHING,
        Optional.of(now),
        outage ? List.of() : List.of("the KMS gives no report on the key: " + failure.describe()),
        // Vault denies the permission to encrypt also with a key that does not exist. Whoever may
        // read the key can tell the two apart.
        failure.kind() == KmsException.Kind.UNKNOWN_KEK
            ? Optional.of(failure.describe())
            : Optional.empty());
  }

  private static String reported(String words) {
    return "the KMS reports that the key " + words;
  }

  private static Optional<String> stateWords(State state) {
    return switch (state) {
      case UNKNOWN, ENABLED -> Optional.empty();
      case DISABLED -> Optional.of("is disabled; enable it again");
      case PENDING_DELETION ->
          Optional.of("waits for its deletion; cancel that, or all data under it is lost");
      case EXPIRED -> Optional.of("has expired; extend it or rotate it");
    };
  }

  private static Optional<String> endWords(Instant end, Instant now) {
    if (!end.isAfter(now)) {
      return Optional.of("the key could be used only until " + seconds(end));
    }
    Duration left = Duration.between(now, end);
    return BEFORE_THE_END.stream()
        .filter(step -> left.compareTo(step) <= 0)
        .findFirst()
        .map(step ->
            "the key can be used only until "
                + seconds(end)
                + ", less than "
                + step.toDays()
                + (step.toDays() == 1 ? " day" : " days")
                + " from now");
  }

  private static String seconds(Instant instant) {
    return instant.truncatedTo(ChronoUnit.SECONDS).toString();
  }
}
