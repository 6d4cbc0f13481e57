package io.keyward.storage.config.text;

/// The classes of characters that go-yaml knows.
final class Characters {
  private Characters() {}

  static boolean isAllowed(int c) {
    return c == 0x09
        || c == 0x0A
        || c == 0x0D
        || (c >= 0x20 && c <= 0x7E)
        || c == 0x85
        || (c >= 0xA0 && c <= 0xD7FF)
        || (c >= 0xE000 && c <= 0xFFFD)
        || c >= 0x10000;
  }

  static boolean isBreak(int c) {
    return c == '\r' || c == '\n' || c == 0x85 || c == 0x2028 || c == 0x2029;
  }

  static boolean isBlank(int c) {
    return c == ' ' || c == '\t';
  }

  static boolean isBreakOrEnd(int c) {
    return c == 0 || isBreak(c);
  }

  static boolean isBlankOrEnd(int c) {
    return isBlank(c) || isBreakOrEnd(c);
  }

  static boolean isDigit(int c) {
    return c >= '0' && c <= '9';
  }

  static boolean isHex(int c) {
    return isDigit(c) || (c >= 'a' && c <= 'f') || (c >= 'A' && c <= 'F');
  }

  static boolean isWord(int c) {
    return isDigit(c) || (c >= 'a' && c <= 'z') || (c >= 'A' && c <= 'Z') || c == '_' || c == '-';
  }

  static boolean isUri(int c) {
    return isWord(c) || (c != 0 && ";/?:@&=+$,.!~*'()[]%".indexOf(c) >= 0);
  }
}
