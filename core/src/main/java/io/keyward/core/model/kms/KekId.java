package io.keyward.core.model.kms;

import java.nio.charset.StandardCharsets;
import java.util.Optional;

/// What the KMS plugin reports as its `key_id`: which version of the remote key wraps new data.
/// Opaque.
public record KekId(String value) {
  /// KMS v2 requires less than 1 KiB. The plugin's own type has the same limit; a test in `it`
  /// compares them.
  public static final int MAX_BYTES = 1023;

  public KekId {
    if (!isValid(value)) {
      throw new IllegalArgumentException("KEK id must have 1 to 1023 bytes");
    }
  }

  /// Empty where the text is no valid id.
  public static Optional<KekId> parse(String text) {
    return isValid(text) ? Optional.of(new KekId(text)) : Optional.empty();
  }

  private static boolean isValid(String text) {
    return !text.isEmpty() && text.getBytes(StandardCharsets.UTF_8).length <= MAX_BYTES;
  }

  @Override
  public String toString() {
    return value;
  }
}
