package io.keyward.kms.plugin.monitor;

import java.time.Duration;

/// Calls Status of one plugin.
@FunctionalInterface
interface StatusProbe {
  /// Whatever happens is an outcome.
  ///
  /// @param endpoint as in the configuration of the API server
  ProbeOutcome status(String endpoint, Duration deadline);
}
