package io.keyward.core.rollout;

import java.util.OptionalLong;

/// The number of a revision as text: in labels, file names and names of objects.
public final class RevisionNumber {
  private static final int MOST_DIGITS = 18;

  private RevisionNumber() {}

  /// Empty where the text is no number, or one that is too great.
  public static OptionalLong parse(String text) {
    return !text.isEmpty()
            && text.length() <= MOST_DIGITS
            && text.chars().allMatch(c -> c >= '0' && c <= '9')
        ? OptionalLong.of(Long.parseLong(text))
        : OptionalLong.empty();
  }

  /// What follows `prefix` in a name.
  public static OptionalLong after(String prefix, String name) {
    return name.startsWith(prefix) ? parse(name.substring(prefix.length())) : OptionalLong.empty();
  }
}
