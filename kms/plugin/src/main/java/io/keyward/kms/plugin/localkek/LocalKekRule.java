package io.keyward.kms.plugin.localkek;

import io.keyward.kms.plugin.config.KeyOptions.LocalKekLimits;
import java.time.Duration;

/// Decides how long a local KEK is used. Pure.
final class LocalKekRule {
  /// What to do with the local KEK that is in use.
  enum Decision {
    KEEP,
    /// Replace it with the next probe; until then it may go on.
    REPLACE,
    /// Not one more DEK may be wrapped with it.
    STOP
  }

  /// While the KMS cannot be reached a local KEK cannot be replaced. It may then go on up to this
  /// many times its limits.
  private static final int PATIENCE = 2;

  private LocalKekRule() {}

  static Decision decide(LocalKekLimits limits, Duration age, long uses) {
    if (uses >= limits.maxUses() * PATIENCE
        || age.compareTo(limits.maxAge().multipliedBy(PATIENCE)) >= 0) {
      return Decision.STOP;
    }
    return uses >= limits.maxUses() || age.compareTo(limits.maxAge()) >= 0
        ? Decision.REPLACE
        : Decision.KEEP;
  }
}
