package io.keyward.kms.pkcs11;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.kms.spi.KmsException;
import io.keyward.kms.spi.KmsException.Kind;
import java.util.Map;

/// Finds the slot that holds the token with a label. The JDK's provider cannot: it wants a slot
/// number, and those change when tokens are added, on some HSMs at each start.
final class TokenFinder {
  private TokenFinder() {}

  static long slotOf(Cryptoki module, String label) {
    try {
      boolean begun = module.initialize();
      try {
        for (long slot : module.slots()) {
          if (module.tokenLabel(slot).filter(bytes -> isLabel(bytes, label)).isPresent()) {
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
        Kind.UNAVAILABLE, "no token with the configured label is present", Map.of("token", label));
  }

  /// Padded with blanks, not ended by a zero.
  private static boolean isLabel(byte[] padded, String label) {
    return new String(padded, UTF_8).stripTrailing().equals(label);
  }
}
