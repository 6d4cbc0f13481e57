package io.keyward.storage.config.text;

import java.util.Arrays;

/// The characters of a document, decoded in portions of 512 bytes.
///
/// The portions matter: go-yaml refuses a wrong byte when it decodes the portion, so a wrong byte
/// far behind the end of the first document goes unnoticed. After the end there are NULs without
/// end.
final class CharacterReader {
  private static final int PORTION = 512;
  private static final int BOM = 0xFEFF;

  private enum Encoding {
    UNKNOWN,
    UTF8,
    UTF16LE,
    UTF16BE
  }

  private final byte[] input;
  private Encoding encoding = Encoding.UNKNOWN;
  private int rawStart;
  private int rawPos;
  private int rawEnd;
  private boolean eof;
  private int[] buffer = new int[4 * PORTION];
  private int pos;
  private int end;
  private int index;
  private int line;
  private int column;

  CharacterReader(byte[] input) {
    this.input = input;
  }

  Mark mark() {
    return new Mark(index, line, column);
  }

  int column() {
    return column;
  }

  void newLine() {
    line++;
    column = 0;
  }

  /// The character `ahead` of the current one; NUL after the end.
  int peek(int ahead) {
    return pos + ahead < end ? buffer[pos + ahead] : 0;
  }

  int peek() {
    return peek(0);
  }

  /// go-yaml looks at the beginning of its buffer, not at the current character. A second byte
  /// order mark therefore costs every line of the first portion its first character.
  boolean atBom() {
    return end > 0 && buffer[0] == BOM;
  }

  void skip() {
    index++;
    column++;
    pos++;
  }

  int read() {
    int character = peek();
    skip();
    return character;
  }

  /// Skips a line break and returns it, the way go-yaml stores it; 0 if there is none.
  int readBreak() {
    int character = peek();
    if (!Characters.isBreak(character)) {
      return 0;
    }
    int width = character == '\r' && peek(1) == '\n' ? 2 : 1;
    pos += width;
    index += width;
    newLine();
    return character == 0x2028 || character == 0x2029 ? character : '\n';
  }

  /// Makes `count` characters visible, or finds out that the document ends before.
  void ensure(int count) {
    if (end - pos >= count) {
      return;
    }
    if (encoding == Encoding.UNKNOWN) {
      determineEncoding();
    }
    System.arraycopy(buffer, pos, buffer, 0, end - pos);
    end -= pos;
    pos = 0;
    boolean first = true;
    while (end < count) {
      if (!first || rawPos == rawEnd) {
        refill();
      }
      first = false;
      decodePortion();
      if (eof) {
        append(0);
        return;
      }
    }
  }

  private void determineEncoding() {
    while (!eof && rawEnd - rawPos < 3) {
      refill();
    }
    encoding = Encoding.UTF8;
    if (startsWith(0xFF, 0xFE)) {
      encoding = Encoding.UTF16LE;
      rawPos += 2;
    } else if (startsWith(0xFE, 0xFF)) {
      encoding = Encoding.UTF16BE;
      rawPos += 2;
    } else if (startsWith(0xEF, 0xBB, 0xBF)) {
      rawPos += 3;
    }
  }

  private boolean startsWith(int... octets) {
    if (rawEnd - rawPos < octets.length) {
      return false;
    }
    for (int i = 0; i < octets.length; i++) {
      if (octet(i) != octets[i]) {
        return false;
      }
    }
    return true;
  }

  private void refill() {
    if (eof || (rawPos == rawStart && rawEnd - rawStart == PORTION)) {
      return;
    }
    rawStart = rawPos;
    int filled = Math.min(rawStart + PORTION, input.length);
    eof = filled == rawEnd;
    rawEnd = filled;
  }

  private int octet(int ahead) {
    return input[rawPos + ahead] & 0xFF;
  }

  private void decodePortion() {
    while (rawPos != rawEnd) {
      int width = encoding == Encoding.UTF8 ? utf8Width() : utf16Width();
      if (width > rawEnd - rawPos) {
        if (eof) {
          throw wrong("The file ends in the middle of a character.");
        }
        return;
      }
      int character = encoding == Encoding.UTF8 ? utf8(width) : utf16(width);
      if (!Characters.isAllowed(character)) {
        throw wrong("The file contains a control character, which YAML does not allow.");
      }
      rawPos += width;
      append(character);
    }
  }

  private int utf8Width() {
    int octet = octet(0);
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
    throw notUtf8();
  }

  private int utf8(int width) {
    int value = width == 1 ? octet(0) : octet(0) & (0xFF >> (width + 1));
    for (int i = 1; i < width; i++) {
      if ((octet(i) & 0xC0) != 0x80) {
        throw notUtf8();
      }
      value = (value << 6) + (octet(i) & 0x3F);
    }
    int least =
        switch (width) {
          case 1 -> 0;
          case 2 -> 0x80;
          case 3 -> 0x800;
          default -> 0x10000;
        };
    if (value < least || (value >= 0xD800 && value <= 0xDFFF) || value > 0x10FFFF) {
      throw notUtf8();
    }
    return value;
  }

  private int utf16Width() {
    if (rawEnd - rawPos < 2) {
      return 2;
    }
    return (unit(0) & 0xFC00) == 0xD800 ? 4 : 2;
  }

  private int utf16(int width) {
    int value = unit(0);
    if ((value & 0xFC00) == 0xDC00) {
      throw wrong("The file is not valid UTF-16.");
    }
    if (width == 2) {
      return value;
    }
    int low = unit(2);
    if ((low & 0xFC00) != 0xDC00) {
      throw wrong("The file is not valid UTF-16.");
    }
    return 0x10000 + ((value & 0x3FF) << 10) + (low & 0x3FF);
  }

  private int unit(int ahead) {
    return encoding == Encoding.UTF16LE
        ? octet(ahead) + (octet(ahead + 1) << 8)
        : (octet(ahead) << 8) + octet(ahead + 1);
  }

  private void append(int character) {
    if (end == buffer.length) {
      buffer = Arrays.copyOf(buffer, 2 * end);
    }
    buffer[end++] = character;
  }

  private SyntaxException notUtf8() {
    return wrong("The file is not valid UTF-8.");
  }

  private SyntaxException wrong(String problem) {
    return new SyntaxException(problem, "check the encoding of the file", line + 1);
  }
}
