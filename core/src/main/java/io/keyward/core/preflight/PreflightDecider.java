package io.keyward.core.preflight;

import io.keyward.core.model.ObservedState;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.PreflightState;
import io.keyward.core.model.kms.PreflightState.Report;
import io.keyward.core.model.kms.PreflightState.Result;
import io.keyward.core.model.kms.PreflightState.Run;
import io.keyward.core.model.kms.PreflightState.Verdict;
import io.keyward.core.preflight.PreflightDecision.Backoff;
import io.keyward.core.preflight.PreflightDecision.Clean;
import io.keyward.core.preflight.PreflightDecision.Conclude;
import io.keyward.core.preflight.PreflightDecision.Deploy;
import io.keyward.core.preflight.PreflightDecision.NotNeeded;
import io.keyward.core.preflight.PreflightDecision.Passed;
import io.keyward.core.preflight.PreflightDecision.Watch;
import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.Optional;

/// Decides when a KMS configuration is tried out. A run is known by the fingerprint it was started
/// for, so a failure of an old configuration never stands in the way of a new one.
public final class PreflightDecider {
  static final Duration GIVES_UP_AFTER = Duration.ofMinutes(3);

  private PreflightDecider() {}

  public static PreflightDecision decide(ObservedState seen) {
    PreflightState state = seen.activity().preflight();
    List<Fingerprint> needed = PreflightCandidate.needed(seen);
    if (needed.isEmpty()) {
      return state.run().isPresent() ? new Clean("no KMS configuration waits") : new NotNeeded();
    }
    // What is requested comes first: a key in use with old contents still works.
    List<PreflightDecision> all = needed.stream().map(config -> decide(seen, config)).toList();
    return all.stream()
        .filter(one -> !(one instanceof Passed || one instanceof Backoff))
        .findFirst()
        .or(() -> state.run().map(_ -> new Clean("it was for another configuration")))
        .or(() -> all.stream().filter(Backoff.class::isInstance).findFirst())
        .orElseGet(all::getFirst);
  }

  private static PreflightDecision decide(ObservedState seen, Fingerprint config) {
    PreflightState state = seen.activity().preflight();
    Optional<Run> own = state.run().filter(run -> run.config().equals(Optional.of(config)));
    return switch (state.verdict(config, seen.at(), seen.settings())) {
      case Verdict.Passed _ -> own.isPresent() ? new Clean("it passed") : new Passed(config);
      case Verdict.Failed(var detail, var retryAt) ->
          own.map(run -> observe(run, config, seen))
              .orElseGet(() -> again(seen, config, detail, retryAt));
      case Verdict.Pending _ ->
          state.run().map(run -> observe(run, config, seen)).orElseGet(() -> new Deploy(config, 1));
    };
  }

  private static PreflightDecision again(
      ObservedState seen, Fingerprint config, String detail, Instant retryAt) {
    if (seen.at().isBefore(retryAt)) {
      return new Backoff(config, detail, retryAt);
    }
    return seen.activity().preflight().run().isPresent()
        ? new Clean("it was for another configuration")
        : new Deploy(config, seen.activity().preflight().attempts(config) + 1);
  }

  private static PreflightDecision observe(Run run, Fingerprint config, ObservedState seen) {
    if (!run.config().equals(Optional.of(config))) {
      return new Clean("it was for another configuration");
    }
    if (run.startedAt().filter(started -> started.isAfter(seen.at())).isPresent()) {
      // Its end could not be told from that of an older one, and nobody would lose patience.
      return new Clean("it began by a clock that was set back");
    }
    if (isRecorded(run, config, seen)) {
      return new Clean("its result is recorded");
    }
    if (run.report().isPresent()) {
      Report report = run.report().orElseThrow();
      return record(seen, config, report);
    }
    Instant until = run.startedAt().orElse(seen.at()).plus(GIVES_UP_AFTER);
    return switch (run.phase()) {
      case SUCCEEDED, FAILED ->
          failed(seen, config, run.stuckOn().orElse("the check ended without a result"));
      case PENDING, RUNNING, UNKNOWN ->
          seen.at().isBefore(until)
              ? new Watch(config, until)
              : failed(seen, config, run.stuckOn().orElse("no result after 3 minutes"));
    };
  }

  private static boolean isRecorded(Run run, Fingerprint config, ObservedState seen) {
    return seen.activity()
        .preflight()
        .resultOf(config)
        .flatMap(result -> result.atIfPast(seen.at()))
        .filter(at -> run.startedAt().filter(started -> !started.isAfter(at)).isPresent())
        .isPresent();
  }

  private static PreflightDecision failed(ObservedState seen, Fingerprint config, String detail) {
    return record(seen, config, new Report(false, Optional.empty(), detail));
  }

  private static PreflightDecision record(ObservedState seen, Fingerprint config, Report report) {
    int attempt = seen.activity().preflight().attempts(config) + 1;
    return new Conclude(
        new Result(
            report.succeeded(),
            config,
            report.kek(),
            Optional.of(seen.at()),
            attempt,
            report.detail()));
  }
}
