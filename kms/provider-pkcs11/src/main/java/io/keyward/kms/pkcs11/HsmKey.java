package io.keyward.kms.pkcs11;

import io.keyward.kms.spi.KekId;
import java.security.Key;

/// One version of the KEK: a handle to a key that stays in the HSM.
record HsmKey(KekId id, long version, Key handle) {}
