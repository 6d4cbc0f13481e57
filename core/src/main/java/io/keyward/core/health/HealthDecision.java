package io.keyward.core.health;

import io.keyward.core.model.key.KeySerial;
import java.util.List;

/// What all reports mean together, and which of them describe nothing that exists.
public sealed interface HealthDecision {
  /// A report is addressed by its node and key.
  record Orphan(String node, KeySerial serial) {}

  List<Orphan> orphans();

  /// No KMS key is in use.
  record NotKms(List<Orphan> orphans) implements HealthDecision {}

  record Healthy(List<Orphan> orphans) implements HealthDecision {}

  /// Nobody has reported yet for these; that is no bad sign.
  record NotYetObserved(List<String> missing, List<Orphan> orphans) implements HealthDecision {}

  /// Reports that are too old to mean anything.
  record Stale(List<String> plugins, List<Orphan> orphans) implements HealthDecision {}

  record Degraded(List<String> plugins, List<Orphan> orphans) implements HealthDecision {}
}
