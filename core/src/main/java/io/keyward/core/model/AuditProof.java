package io.keyward.core.model;

import io.keyward.core.model.key.KeySerial;
import java.time.Instant;
import java.util.Set;

/// What the last audit of etcd saw: keys that stored values still depend on.
public record AuditProof(Instant at, Set<KeySerial> stillUsed) {
  public AuditProof {
    stillUsed = Set.copyOf(stillUsed);
  }
}
