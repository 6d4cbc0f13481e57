package io.keyward.kms.client;

import io.keyward.kms.client.PreflightReport.Step;
import io.keyward.kms.spi.KekReport;
import java.util.List;
import java.util.Optional;

/// What a preflight of a provider did and found.
///
/// @param key the key's name in the configuration
/// @param keyId empty where nothing could be wrapped
/// @param kek what the KMS says about the key; its warnings fail nothing
public record ProviderReport(
    String key,
    String provider,
    String keyId,
    List<Step> steps,
    KekReport kek,
    Optional<Finding> finding) {
  public ProviderReport {
    steps = List.copyOf(steps);
  }

  public boolean passed() {
    return finding.isEmpty();
  }

  /// What is wrong, in detail, and what to do about it.
  public record Finding(String words, String detail, String remedy) {}
}
