package io.keyward.core.preflight;

import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.PreflightState.Result;
import java.time.Instant;

/// What happens to the preflight next.
public sealed interface PreflightDecision {
  record NotNeeded() implements PreflightDecision {}

  /// This very configuration was tried lately and works.
  record Passed(Fingerprint config) implements PreflightDecision {}

  /// Remove a run that is no longer of use, and wait until it is gone.
  record Clean(String why) implements PreflightDecision {}

  record Deploy(Fingerprint config, int attempt) implements PreflightDecision {}

  record Watch(Fingerprint config, Instant until) implements PreflightDecision {}

  record Conclude(Result result) implements PreflightDecision {}

  /// It failed and is tried again by itself; another configuration does not wait for that.
  record Backoff(Fingerprint config, String detail, Instant retryAt) implements PreflightDecision {}
}
