package io.keyward.core.rollout;

/// Words of somebody else, fit for a condition: one line, not too long, and nothing in it that a
/// terminal obeys.
public final class OneLine {
  private static final int LONGEST = 300;

  private OneLine() {}

  public static String of(String text) {
    var line = new StringBuilder();
    text.codePoints().map(OneLine::plain).forEach(line::appendCodePoint);
    String plain = line.toString().strip().replaceAll(" +", " ");
    return plain.codePointCount(0, plain.length()) <= LONGEST
        ? plain
        : plain.substring(0, plain.offsetByCodePoints(0, LONGEST - 1)) + "…";
  }

  private static int plain(int point) {
    return switch (Character.getType(point)) {
      case Character.CONTROL,
          Character.FORMAT,
          Character.SURROGATE,
          Character.PRIVATE_USE,
          Character.UNASSIGNED,
          Character.LINE_SEPARATOR,
          Character.PARAGRAPH_SEPARATOR,
          Character.SPACE_SEPARATOR ->
          ' ';
      default -> point;
    };
  }
}
