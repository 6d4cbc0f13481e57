package io.keyward.codec;

import io.keyward.core.model.Fingerprint;
import io.keyward.core.model.HealthReport;
import io.keyward.core.model.PreflightState;
import io.keyward.core.model.Problem;
import java.util.List;
import java.util.Optional;

/// What `status.encryptionStatus` says, and what of it was not understood.
///
/// @param problems one for each part that could not be read; the others count all the same
public record EncryptionStatus(
    List<HealthReport> reports,
    Optional<Fingerprint> observed,
    Optional<PreflightState.Result> result,
    List<Problem> problems) {
  public EncryptionStatus {
    reports = List.copyOf(reports);
    problems = List.copyOf(problems);
  }
}
