package io.keyward.kms.pkcs11;

import io.keyward.kms.spi.KekId;
import io.keyward.kms.spi.Secret;
import io.keyward.kms.spi.Wrapped;

/// One version of the KEK: a handle to a key that stays in the HSM.
sealed interface HsmKey permits GcmKey, KeyWrapKey {
  KekId id();

  /// The greatest one wraps.
  long order();

  Wrapped wrap(Secret dek);

  Secret unwrap(Wrapped wrapped);
}
