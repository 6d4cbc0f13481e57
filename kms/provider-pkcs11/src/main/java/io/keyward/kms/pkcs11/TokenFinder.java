package io.keyward.kms.pkcs11;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.util.Map;

/// Finds the slot that holds the token with a label, a serial number, or both. The JDK's provider
/// cannot: it wants a slot number, and those change when tokens are added, on some HSMs at each
/// start.
final class TokenFinder {
  private TokenFinder() {}

  static long slotOf(Cryptoki module, TokenChoice choice) {
    try {
      boolean begun = module.initialize();
      try {
        for (long slot : module.slots()) {
          if (module.token(slot).filter(choice::accepts).isPresent()) {
            return slot;
          }
        }
      } finally {
        if (begun) {
          module.finish(); // the JDK's provider begins anew
        }
      }
    } catch (CryptokiException e) {
      throw new KmsException(
          Kind.UNAVAILABLE,
          "the PKCS#11 module does not list its tokens",
          Map.of("answer", String.valueOf(e.getMessage())));
    }
    throw new KmsException(
        Kind.UNAVAILABLE,
        "no token with the configured label or serial number is present",
        Map.of("token", choice.text()));
  }
}
