package io.keyward.core.model.kms;

import io.keyward.core.model.Settings;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.List;
import java.util.Optional;
import java.util.stream.Stream;

/// What is known of preflights: the one that was asked for, its last result, the one that runs.
///
/// @param others results of configurations that nobody requests now: keys in use whose references
///   changed
public record PreflightState(
    Optional<Fingerprint> observed,
    Optional<Result> result,
    Optional<Run> run,
    List<Result> others) {
  /// More keys than that are not in use.
  private static final int MOST = 10;

  public static final PreflightState NONE =
      new PreflightState(Optional.empty(), Optional.empty(), Optional.empty());

  public PreflightState {
    others = List.copyOf(others);
  }

  /// Without other results.
  public PreflightState(
      Optional<Fingerprint> observed, Optional<Result> result, Optional<Run> run) {
    this(observed, result, run, List.of());
  }

  /// The last result of a configuration.
  public Optional<Result> resultOf(Fingerprint config) {
    return Stream.concat(result.stream(), others.stream())
        .filter(one -> one.config().equals(config))
        .findFirst();
  }

  /// The same after a run ended.
  ///
  /// @param requested what is requested now; the results of others are kept apart from it
  public PreflightState with(Result ended, Optional<Fingerprint> requested) {
    if (requested.equals(Optional.of(ended.config()))) {
      return new PreflightState(observed, Optional.of(ended), run, others);
    }
    var kept = new ArrayList<>(others);
    kept.removeIf(one -> one.config().equals(ended.config()));
    kept.addFirst(ended);
    return new PreflightState(observed, result, run, kept.subList(0, Math.min(MOST, kept.size())));
  }

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
    Optional<Result> own = resultOf(config);
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
    return resultOf(config).filter(r -> !r.succeeded()).map(Result::attempt).orElse(0);
  }

  public static Duration backoff(Duration first, Duration most, int attempt) {
    Duration wait = first.multipliedBy(1L << Math.clamp(attempt - 1L, 0, 20));
    return wait.compareTo(most) < 0 ? wait : most;
  }
}
