package io.keyward.cli.output;

/// Text that cannot steer a terminal. Names in etcd may hold line breaks, escape sequences and
/// marks that turn the direction of text around.
public final class Printable {
  private Printable() {}

  /// Control characters become `\n`, `\t`, `\x1b` or `\u202e`. The same text where there are none.
  public static String of(String text) {
    int first = 0;
    while (first < text.length() && isPlain(text.charAt(first))) {
      first++;
    }
    if (first == text.length()) {
      return text;
    }
    var safe = new StringBuilder(text.length() + 16).append(text, 0, first);
    for (int i = first; i < text.length(); i++) {
      append(safe, text.charAt(i));
    }
    return safe.toString();
  }

  private static void append(StringBuilder safe, char c) {
    if (isPlain(c)) {
      safe.append(c);
      return;
    }
    switch (c) {
      case '\n' -> safe.append("\\n");
      case '\r' -> safe.append("\\r");
      case '\t' -> safe.append("\\t");
      default -> {
        String digits = Integer.toHexString(c);
        boolean small = c < 0x100;
        safe.append(small ? "\\x" : "\\u").repeat('0', (small ? 2 : 4) - digits.length());
        safe.append(digits);
      }
    }
  }

  private static boolean isPlain(char c) {
    boolean control = c < 0x20 || (c >= 0x7f && c < 0xa0);
    boolean separates = c == '\u2028' || c == '\u2029' || c == '\ufeff';
    boolean turns = (c >= '\u200b' && c <= '\u200f') || (c >= '\u202a' && c <= '\u202e');
    boolean isolates = c >= '\u2060' && c <= '\u206f';
    return !control && !separates && !turns && !isolates;
  }
}
