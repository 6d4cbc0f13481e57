package io.keyward.storage.config;

import java.util.Base64;
import java.util.Optional;

/// Standard base64 with padding. Like Go, line ends inside do not matter, spaces do.
final class GoBase64 {
  private GoBase64() {}

  static Optional<byte[]> decode(String text) {
    String bare = text.replace("\r", "").replace("\n", "");
    // The JDK accepts missing padding, Go does not.
    if (bare.length() % 4 != 0) {
      return Optional.empty();
    }
    try {
      return Optional.of(Base64.getDecoder().decode(bare));
    } catch (IllegalArgumentException notBase64) {
      return Optional.empty();
    }
  }
}
