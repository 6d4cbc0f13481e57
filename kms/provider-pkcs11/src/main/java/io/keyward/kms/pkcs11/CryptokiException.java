package io.keyward.kms.pkcs11;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.security.ProviderException;
import java.util.Set;

/// A function of the PKCS#11 module that did not return `CKR_OK`.
final class CryptokiException extends ProviderException {
  private static final long serialVersionUID = 1L;

  private static final long FUNCTION_FAILED = 0x6;
  private static final long GENERAL_ERROR = 0x5;
  private static final Set<Long> NO_MECHANISM = Set.of(0x70L, 0x71L);
  private static final Set<Long> NOT_PERMITTED = Set.of(0x62L, 0x63L, 0x68L, 0x115L, 0xF2L);

  /// `CKR_ENCRYPTED_DATA_…` and `CKR_WRAPPED_KEY_…`; and what SoftHSM says instead.
  private static final Set<Long> DAMAGED =
      Set.of(0x40L, 0x41L, 0x110L, 0x112L, GENERAL_ERROR, FUNCTION_FAILED);

  private final long code;

  CryptokiException(String function, long code) {
    super(function + " returned 0x" + Long.toHexString(code));
    this.code = code;
  }

  /// This one, or words for what the token cannot do or the key may not.
  ///
  /// @param mechanismMissing the token does not have what was asked for
  /// @param keyNotPermitted the key's attributes, its type or its size forbid it
  RuntimeException explained(String mechanismMissing, String keyNotPermitted) {
    if (NO_MECHANISM.contains(code)) {
      return new KmsException(Kind.DENIED, mechanismMissing);
    }
    return NOT_PERMITTED.contains(code) ? new KmsException(Kind.DENIED, keyNotPermitted) : this;
  }

  boolean saysTheDataIsDamaged() {
    return DAMAGED.contains(code);
  }
}
