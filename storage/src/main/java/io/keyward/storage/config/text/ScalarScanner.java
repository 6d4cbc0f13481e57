package io.keyward.storage.config.text;

import static io.keyward.storage.config.text.Characters.isBlank;
import static io.keyward.storage.config.text.Characters.isBlankOrEnd;
import static io.keyward.storage.config.text.Characters.isBreak;
import static io.keyward.storage.config.text.Characters.isBreakOrEnd;
import static io.keyward.storage.config.text.Characters.isDigit;
import static io.keyward.storage.config.text.Characters.isHex;

/// Plain, quoted and block scalars.
final class ScalarScanner {
  /// A plain scalar that ended on a new line may be followed by a key.
  record Plain(Token token, boolean endedOnNewLine) {}

  private final CharacterReader reader;

  ScalarScanner(CharacterReader reader) {
    this.reader = reader;
  }

  Plain plain(int parentIndent, boolean inFlow) {
    Mark start = reader.mark();
    int indent = parentIndent + 1;
    var fold = new LineFolding();
    while (true) {
      reader.ensure(4);
      if ((reader.column() == 0 && TokenScanner.isDocumentIndicator(reader))
          || reader.peek() == '#') {
        break;
      }
      while (!isBlankOrEnd(reader.peek()) && !endsPlain(inFlow)) {
        fold.join();
        fold.append(reader.read());
        reader.ensure(2);
      }
      if (!isBlank(reader.peek()) && !isBreak(reader.peek())) {
        break;
      }
      reader.ensure(1);
      while (isBlank(reader.peek()) || isBreak(reader.peek())) {
        if (fold.onNewLine() && reader.column() < indent && reader.peek() == '\t') {
          throw wrong("A tab is used for indentation.");
        }
        blank(fold);
      }
      if (!inFlow && reader.column() < indent) {
        break;
      }
    }
    return new Plain(Token.scalar(start, fold.text(), true), fold.onNewLine());
  }

  private boolean endsPlain(boolean inFlow) {
    int c = reader.peek();
    return (c == ':' && isBlankOrEnd(reader.peek(1)))
        || (inFlow && (c == ',' || c == '?' || c == '[' || c == ']' || c == '{' || c == '}'));
  }

  private void blank(LineFolding fold) {
    if (isBlank(reader.peek())) {
      fold.blank(reader.read());
    } else {
      reader.ensure(2);
      fold.lineBreak(reader.readBreak());
    }
    reader.ensure(1);
  }

  Token quoted(boolean single) {
    Mark start = reader.mark();
    int quote = reader.read();
    var fold = new LineFolding();
    while (true) {
      reader.ensure(4);
      if (reader.column() == 0 && TokenScanner.isDocumentIndicator(reader)) {
        throw wrong("A quoted value contains a document indicator.");
      }
      if (reader.peek() == 0) {
        throw wrong("A quoted value has no end.");
      }
      while (!isBlankOrEnd(reader.peek()) && quotedPart(single, fold)) {
        reader.ensure(2);
      }
      reader.ensure(1);
      if (reader.peek() == quote) {
        break;
      }
      while (isBlank(reader.peek()) || isBreak(reader.peek())) {
        blank(fold);
      }
      fold.join();
    }
    reader.skip();
    return Token.scalar(start, fold.text(), false);
  }

  /// Reads one character; false at the closing quote and after an escaped line break.
  private boolean quotedPart(boolean single, LineFolding fold) {
    int c = reader.peek();
    if (single && c == '\'') {
      if (reader.peek(1) != '\'') {
        return false;
      }
      reader.skip();
    } else if (!single && c == '"') {
      return false;
    } else if (!single && c == '\\') {
      return escaped(fold);
    }
    fold.append(reader.read());
    return true;
  }

  private boolean escaped(LineFolding fold) {
    if (isBreak(reader.peek(1))) {
      reader.ensure(3);
      reader.skip();
      reader.readBreak();
      fold.escapedBreak();
      return false;
    }
    int escape = reader.peek(1);
    int digits =
        switch (escape) {
          case 'x' -> 2;
          case 'u' -> 4;
          case 'U' -> 8;
          default -> 0;
        };
    reader.skip();
    reader.skip();
    fold.append(digits == 0 ? named(escape) : coded(digits));
    return true;
  }

  private int named(int escape) {
    return switch (escape) {
      case '0' -> 0;
      case 'a' -> 0x07;
      case 'b' -> 0x08;
      case 't', '\t' -> 0x09;
      case 'n' -> 0x0A;
      case 'v' -> 0x0B;
      case 'f' -> 0x0C;
      case 'r' -> 0x0D;
      case 'e' -> 0x1B;
      case ' ', '"', '\'', '\\' -> escape;
      case 'N' -> 0x85;
      case '_' -> 0xA0;
      case 'L' -> 0x2028;
      case 'P' -> 0x2029;
      default -> throw wrong("A quoted value contains an unknown escape.");
    };
  }

  private int coded(int digits) {
    reader.ensure(digits);
    long value = 0;
    for (int i = 0; i < digits; i++) {
      if (!isHex(reader.peek())) {
        throw wrong("A quoted value contains an escape without a hexadecimal number.");
      }
      value = (value << 4) + Character.digit(reader.read(), 16);
    }
    if ((value >= 0xD800 && value <= 0xDFFF) || value > 0x10FFFF) {
      throw wrong("A quoted value contains an escape that is no character.");
    }
    return (int) value;
  }

  Token block(boolean literal, int parentIndent) {
    Mark start = reader.mark();
    reader.skip();
    reader.ensure(1);
    int chomping = chomping();
    int increment = increment();
    if (chomping == 0) {
      chomping = chomping();
    }
    TagScanner.endLine(reader, "A block value is followed by more text on its first line.");
    int indent = increment == 0 ? 0 : Math.max(parentIndent, 0) + increment;
    var text = new StringBuilder();
    var firstBreak = new StringBuilder();
    var breaks = new StringBuilder();
    indent = indentation(indent, parentIndent, breaks);
    reader.ensure(1);
    boolean blankBefore = false;
    while (reader.column() == indent && reader.peek() != 0) {
      boolean blank = isBlank(reader.peek());
      if (!literal && !blankBefore && !blank && firstBreak.indexOf("\n") == 0) {
        text.append(breaks.isEmpty() ? " " : "");
      } else {
        text.append(firstBreak);
      }
      text.append(breaks);
      firstBreak.setLength(0);
      breaks.setLength(0);
      blankBefore = blank;
      while (!isBreakOrEnd(reader.peek())) {
        text.appendCodePoint(reader.read());
        reader.ensure(1);
      }
      reader.ensure(2);
      if (isBreak(reader.peek())) {
        firstBreak.appendCodePoint(reader.readBreak());
      }
      indent = indentation(indent, parentIndent, breaks);
    }
    text.append(chomping >= 0 ? firstBreak : "").append(chomping > 0 ? breaks : "");
    return Token.scalar(start, text.toString(), false);
  }

  private int chomping() {
    int c = reader.peek();
    if (c != '+' && c != '-') {
      return 0;
    }
    reader.skip();
    reader.ensure(1);
    return c == '+' ? 1 : -1;
  }

  private int increment() {
    if (!isDigit(reader.peek())) {
      return 0;
    }
    if (reader.peek() == '0') {
      throw wrong("A block value has an indentation of 0.");
    }
    int increment = reader.read() - '0';
    reader.ensure(1);
    return increment;
  }

  /// Skips indentation and empty lines. Returns the indentation, which the first text line sets.
  private int indentation(int known, int parentIndent, StringBuilder breaks) {
    int deepest = 0;
    while (true) {
      reader.ensure(1);
      while ((known == 0 || reader.column() < known) && reader.peek() == ' ') {
        reader.skip();
        reader.ensure(1);
      }
      deepest = Math.max(deepest, reader.column());
      if ((known == 0 || reader.column() < known) && reader.peek() == '\t') {
        throw wrong("A tab is used for indentation.");
      }
      if (!isBreak(reader.peek())) {
        break;
      }
      reader.ensure(2);
      breaks.appendCodePoint(reader.readBreak());
    }
    return known == 0 ? Math.max(deepest, Math.max(parentIndent + 1, 1)) : known;
  }

  private SyntaxException wrong(String problem) {
    return new SyntaxException(problem, reader.mark().line() + 1);
  }
}
