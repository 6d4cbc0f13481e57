package io.keyward.codec;

import java.util.Optional;

/// Unsigned decimal numbers, nothing else: no sign, no space, no digits of other scripts.
public final class Digits {
  private Digits() {}

  public static Optional<Long> parse(String text) {
    boolean plain =
        !text.isEmpty() && text.length() < 19 && text.chars().allMatch(c -> c >= '0' && c <= '9');
    return plain ? Optional.of(Long.valueOf(text)) : Optional.empty();
  }
}
