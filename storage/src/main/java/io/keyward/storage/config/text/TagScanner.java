package io.keyward.storage.config.text;

import static io.keyward.storage.config.text.Characters.isBlank;
import static io.keyward.storage.config.text.Characters.isBlankOrEnd;
import static io.keyward.storage.config.text.Characters.isBreak;
import static io.keyward.storage.config.text.Characters.isBreakOrEnd;
import static io.keyward.storage.config.text.Characters.isDigit;
import static io.keyward.storage.config.text.Characters.isHex;
import static io.keyward.storage.config.text.Characters.isUri;
import static io.keyward.storage.config.text.Characters.isWord;
import static java.nio.charset.StandardCharsets.UTF_8;

import java.io.ByteArrayOutputStream;

/// Directives, anchors, aliases and tags.
final class TagScanner {
  private final CharacterReader reader;

  TagScanner(CharacterReader reader) {
    this.reader = reader;
  }

  Token directive() {
    Mark start = reader.mark();
    reader.skip();
    String name = word();
    if (name.isEmpty() || !isBlankOrEnd(reader.peek())) {
      throw wrong("A directive has no valid name.");
    }
    Token token =
        switch (name) {
          case "YAML" -> version(start);
          case "TAG" -> tagDirective(start);
          default -> throw wrong("kube-apiserver knows only the YAML and the TAG directive.");
        };
    endLine(reader, "A directive is followed by more text on its line.");
    return token;
  }

  /// Skips blanks, a comment and the line break.
  static void endLine(CharacterReader reader, String problem) {
    reader.ensure(1);
    skipBlanks(reader);
    if (reader.peek() == '#') {
      while (!isBreakOrEnd(reader.peek())) {
        reader.skip();
        reader.ensure(1);
      }
    }
    if (!isBreakOrEnd(reader.peek())) {
      throw new SyntaxException(problem, reader.mark().line() + 1);
    }
    if (isBreak(reader.peek())) {
      reader.ensure(2);
      reader.readBreak();
    }
  }

  private static void skipBlanks(CharacterReader reader) {
    reader.ensure(1);
    while (isBlank(reader.peek())) {
      reader.skip();
      reader.ensure(1);
    }
  }

  private Token version(Mark start) {
    skipBlanks(reader);
    String major = number();
    if (reader.peek() != '.') {
      throw wrong("A YAML directive has no valid version.");
    }
    reader.skip();
    return Token.of(TokenType.VERSION_DIRECTIVE, start, major + "." + number());
  }

  private String number() {
    reader.ensure(1);
    int value = 0;
    int length = 0;
    while (isDigit(reader.peek())) {
      if (++length > 2) {
        throw wrong("A YAML directive has no valid version.");
      }
      value = value * 10 + reader.read() - '0';
      reader.ensure(1);
    }
    if (length == 0) {
      throw wrong("A YAML directive has no valid version.");
    }
    return Integer.toString(value);
  }

  private Token tagDirective(Mark start) {
    skipBlanks(reader);
    String handle = handle(true);
    reader.ensure(1);
    if (!isBlank(reader.peek())) {
      throw wrong("A TAG directive lacks a space after its handle.");
    }
    skipBlanks(reader);
    String prefix = uri("");
    reader.ensure(1);
    if (!isBlankOrEnd(reader.peek())) {
      throw wrong("A TAG directive lacks a space after its prefix.");
    }
    return new Token(TokenType.TAG_DIRECTIVE, start, handle, prefix, false);
  }

  Token anchor(TokenType type) {
    Mark start = reader.mark();
    reader.skip();
    String name = word();
    int next = reader.peek();
    if (name.isEmpty() || !(isBlankOrEnd(next) || "?:,]}%@`".indexOf(next) >= 0)) {
      throw wrong("An anchor or an alias has no valid name.");
    }
    return Token.of(type, start, name);
  }

  Token tag() {
    Mark start = reader.mark();
    reader.ensure(2);
    String handle;
    String suffix;
    if (reader.peek(1) == '<') {
      reader.skip();
      reader.skip();
      handle = "";
      suffix = uri("");
      if (reader.peek() != '>') {
        throw wrong("A tag that starts with !< lacks its >.");
      }
      reader.skip();
    } else {
      handle = handle(false);
      if (handle.length() > 1 && handle.endsWith("!")) {
        suffix = uri("");
      } else {
        suffix = uri(handle);
        handle = "!";
        if (suffix.isEmpty()) {
          handle = "";
          suffix = "!";
        }
      }
    }
    reader.ensure(1);
    if (!isBlankOrEnd(reader.peek())) {
      throw wrong("A tag lacks a space behind it.");
    }
    return new Token(TokenType.TAG, start, handle, suffix, false);
  }

  private String handle(boolean directive) {
    reader.ensure(1);
    if (reader.peek() != '!') {
      throw wrong("A tag handle does not start with '!'.");
    }
    reader.skip();
    String name = "!" + word();
    if (reader.peek() == '!') {
      reader.skip();
      return name + "!";
    }
    if (directive && !name.equals("!")) {
      throw wrong("A tag handle does not end with '!'.");
    }
    return name;
  }

  private String word() {
    var word = new StringBuilder();
    reader.ensure(1);
    while (isWord(reader.peek())) {
      word.appendCodePoint(reader.read());
      reader.ensure(1);
    }
    return word.toString();
  }

  /// `head` is a handle that turned out to be the beginning of the tag; its `!` does not belong to
  /// it.
  private String uri(String head) {
    var octets = new ByteArrayOutputStream();
    octets.writeBytes(head.isEmpty() ? new byte[0] : head.substring(1).getBytes(UTF_8));
    boolean found = !head.isEmpty();
    reader.ensure(1);
    while (isUri(reader.peek())) {
      if (reader.peek() == '%') {
        escape(octets);
      } else {
        octets.write(reader.read());
      }
      reader.ensure(1);
      found = true;
    }
    if (!found) {
      throw wrong("A tag is empty.");
    }
    return octets.toString(UTF_8);
  }

  private void escape(ByteArrayOutputStream octets) {
    int left = 0;
    do {
      reader.ensure(3);
      if (reader.peek() != '%' || !isHex(reader.peek(1)) || !isHex(reader.peek(2))) {
        throw wrong("A tag contains an invalid escape.");
      }
      int octet = (Character.digit(reader.peek(1), 16) << 4) + Character.digit(reader.peek(2), 16);
      if (left == 0) {
        left = width(octet);
      } else if ((octet & 0xC0) != 0x80) {
        throw wrong("A tag contains an invalid escape.");
      }
      octets.write(octet);
      reader.skip();
      reader.skip();
      reader.skip();
    } while (--left > 0);
  }

  private int width(int octet) {
    if (octet < 0x80) {
      return 1;
    }
    if ((octet & 0xE0) == 0xC0) {
      return 2;
    }
    if ((octet & 0xF0) == 0xE0) {
      return 3;
    }
    if ((octet & 0xF8) == 0xF0) {
      return 4;
    }
    throw wrong("A tag contains an invalid escape.");
  }

  private SyntaxException wrong(String problem) {
    return new SyntaxException(problem, reader.mark().line() + 1);
  }
}
