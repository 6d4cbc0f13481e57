package io.keyward.kms.vault;

import static java.nio.charset.StandardCharsets.US_ASCII;

import java.util.Base64;
import java.util.Optional;
import java.util.regex.Matcher;
import java.util.regex.Pattern;

/// A ciphertext as the transit engine writes it: `vault:v3:` and base64. OpenBao writes the same.
record TransitText(String text, int version) {
  private static final Pattern FORM =
      Pattern.compile("vault:v([1-9][0-9]{0,8}):([A-Za-z0-9+/]+={0,2})");

  /// Empty for anything else. Only one way to write the same bytes is taken: otherwise a changed
  /// ciphertext could still be opened.
  static Optional<TransitText> parse(String text) {
    Matcher matcher = FORM.matcher(text);
    if (!matcher.matches()) {
      return Optional.empty();
    }
    try {
      String sealed = matcher.group(2);
      byte[] bytes = Base64.getDecoder().decode(sealed);
      if (!Base64.getEncoder().encodeToString(bytes).equals(sealed)) {
        return Optional.empty();
      }
    } catch (IllegalArgumentException _) {
      return Optional.empty();
    }
    return Optional.of(new TransitText(text, Integer.parseInt(matcher.group(1))));
  }

  static Optional<TransitText> parse(byte[] stored) {
    return parse(new String(stored, US_ASCII));
  }
}
