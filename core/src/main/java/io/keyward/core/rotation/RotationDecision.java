package io.keyward.core.rotation;

import io.keyward.core.model.kms.KekId;
import java.time.Instant;
import java.util.SortedMap;
import java.util.SortedSet;

/// Under which version of the remote key the instances write, as far as it is sure.
public sealed interface RotationDecision {
  /// No KMS key writes, or instances are being rolled out.
  record NotApplicable() implements RotationDecision {}

  /// These nodes sent no fresh, healthy report with a KEK for the write key; the others did.
  record Silent(SortedSet<String> nodes, SortedMap<String, KekId> others)
      implements RotationDecision {}

  /// The KMS shows different versions to different nodes. Nothing is rewritten meanwhile.
  record Disagree(SortedMap<String, KekId> nodes) implements RotationDecision {}

  /// All agree, but an API server may still write under the version before.
  record Settling(KekId kek, Instant until) implements RotationDecision {}

  /// All stored data is recorded under this version.
  record Steady(KekId kek) implements RotationDecision {}

  /// Stored data is under another version or it is not known which: migrate again, same key.
  record Remigrate(KekId kek, SortedSet<String> resources) implements RotationDecision {}
}
