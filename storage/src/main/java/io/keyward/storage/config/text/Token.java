package io.keyward.storage.config.text;

/// A token of YAML. `value` and `suffix` are empty where the type has none: a tag has a handle and
/// a suffix, a `%TAG` directive a handle and a prefix, a `%YAML` directive a version.
record Token(TokenType type, Mark start, String value, String suffix, boolean plain) {
  static Token of(TokenType type, Mark start) {
    return new Token(type, start, "", "", false);
  }

  static Token of(TokenType type, Mark start, String value) {
    return new Token(type, start, value, "", false);
  }

  static Token scalar(Mark start, String value, boolean plain) {
    return new Token(TokenType.SCALAR, start, value, "", plain);
  }

  int line() {
    return start.line() + 1;
  }
}
