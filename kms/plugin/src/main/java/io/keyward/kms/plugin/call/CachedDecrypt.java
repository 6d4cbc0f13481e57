package io.keyward.kms.plugin.call;

import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;
import java.util.Optional;

/// Opens from memory what it can, without ever waiting: it is asked on the event loop.
@FunctionalInterface
public interface CachedDecrypt {
  CachedDecrypt NOTHING = _ -> Optional.empty();

  Optional<Secret> recall(Wrapped wrapped);

  /// Asks this one first, and `other` where this one does not know.
  default CachedDecrypt or(CachedDecrypt other) {
    return wrapped -> recall(wrapped).or(() -> other.recall(wrapped));
  }
}
