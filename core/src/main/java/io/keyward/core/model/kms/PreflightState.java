package io.keyward.core.model.kms;

import io.keyward.core.model.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.Optional;

/// What is known of preflights: the one that was asked for, the last result, the one that runs.
public record PreflightState(
    Optional<Fingerprint> observed, Optional<Result> result, Optional<Run> run) {
  public static final PreflightState NONE =
      new PreflightState(Optional.empty(), Optional.empty(), Optional.empty());

  /// How a preflight ended.
  ///
  /// @param at absent where others recorded it; such a success counts as expired
  /// @param attempt how many times in a row this configuration was tried
  public record Result(
      boolean succeeded,
      Fingerprint config,
      Optional<KekId> kek,
      Optional<Instant> at,
      int attempt,
      String detail) {

    public Optional<Instant> atIfPast(Instant now) {
      return at.filter(time -> !time.isAfter(now));
    }
  }

  /// A preflight that was started and not yet removed.
  ///
  /// @param config from the pod's own annotation, so that a pod that never speaks is known too
  /// @param report what the check itself said, which counts more than how its process ended
  /// @param stuckOn a container, init containers included, that cannot start, in words
  public record Run(
      Optional<Fingerprint> config,
      Phase phase,
      Optional<Instant> startedAt,
      Optional<Report> report,
      Optional<String> stuckOn) {}

  public record Report(boolean succeeded, Optional<KekId> kek, String detail) {}

  public enum Phase {
    PENDING,
    RUNNING,
    SUCCEEDED,
    FAILED,
    UNKNOWN
  }

  /// What the last result means now for one configuration.
  public sealed interface Verdict {
    record Passed() implements Verdict {}

    record Failed(String detail, Instant retryAt) implements Verdict {}

    record Pending() implements Verdict {}
  }

  /// A time to come was told by a clock that is wrong, and counts for none: then a failure is tried
  /// again at once, and a success is expired.
  public Verdict verdict(Fingerprint config, Instant now, Settings settings) {
    Optional<Result> own = result.filter(r -> r.config().equals(config));
    if (own.isEmpty()) {
      return new Verdict.Pending();
    }
    Result known = own.orElseThrow();
    if (!known.succeeded()) {
      Instant from = known.atIfPast(now).orElse(Instant.EPOCH);
      return new Verdict.Failed(
          known.detail(), from.plus(settings.preflightBackoff(known.attempt())));
    }
    boolean fresh =
        known
            .atIfPast(now)
            .filter(at -> now.isBefore(at.plus(settings.preflightHolds())))
            .isPresent();
    return fresh ? new Verdict.Passed() : new Verdict.Pending();
  }

  /// Attempts in a row for this configuration, for the back-off of the next.
  public int attempts(Fingerprint config) {
    return result
        .filter(r -> r.config().equals(config) && !r.succeeded())
        .map(Result::attempt)
        .orElse(0);
  }

  public static Duration backoff(Duration first, Duration most, int attempt) {
    Duration wait = first.multipliedBy(1L << Math.clamp(attempt - 1L, 0, 20));
    return wait.compareTo(most) < 0 ? wait : most;
  }
}
