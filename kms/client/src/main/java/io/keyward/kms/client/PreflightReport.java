package io.keyward.kms.client;

import java.time.Duration;
import java.util.List;
import java.util.Optional;

/// What a preflight did and found.
///
/// @param keyId as Status reported it; empty where it never answered
public record PreflightReport(
    PluginEndpoint endpoint, String keyId, List<Step> steps, Optional<Finding> finding) {
  public PreflightReport {
    steps = List.copyOf(steps);
  }

  public boolean passed() {
    return finding.isEmpty();
  }

  /// One call that was made.
  public record Step(String name, boolean passed, Duration took) {}

  /// What is wrong, with what the other side said.
  public record Finding(PreflightProblem problem, String detail) {}
}
