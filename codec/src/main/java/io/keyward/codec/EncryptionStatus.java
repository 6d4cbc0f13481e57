package io.keyward.codec;

import io.keyward.core.model.Problem;
import io.keyward.core.model.kms.Fingerprint;
import io.keyward.core.model.kms.HealthReport;
import io.keyward.core.model.kms.PreflightState;
import java.util.List;
import java.util.Optional;

/// What `status.encryptionStatus` says, and what of it was not understood.
///
/// @param others results of the preflights of keys in use whose references changed
/// @param problems one for each report that could not be read; the others count all the same
/// @param preflightProblems the same of the preflight
public record EncryptionStatus(
    List<HealthReport> reports,
    Optional<Fingerprint> observed,
    Optional<PreflightState.Result> result,
    List<PreflightState.Result> others,
    List<Problem> problems,
    List<Problem> preflightProblems) {
  public EncryptionStatus {
    reports = List.copyOf(reports);
    others = List.copyOf(others);
    problems = List.copyOf(problems);
    preflightProblems = List.copyOf(preflightProblems);
  }
}
