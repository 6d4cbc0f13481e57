package io.keyward.storage.config.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import io.keyward.storage.config.text.ConfigNode.Field;
import io.keyward.storage.config.text.ConfigNode.Listing;
import io.keyward.storage.config.text.ConfigNode.Mapping;
import io.keyward.storage.config.text.ConfigNode.Nothing;
import io.keyward.storage.config.text.ConfigNode.Numeral;
import io.keyward.storage.config.text.ConfigNode.Text;
import io.keyward.storage.config.text.ConfigNode.Truth;
import java.util.ArrayList;

/// JSON as Go's `encoding/json` reads it: strict about syntax, tolerant of bytes that are not
/// UTF-8.
final class JsonReader {
  /// A configuration nests seven deep.
  private static final int MAX_DEPTH = 100;

  private final String text;
  private int pos;
  private int line = 1;
  private int depth;

  JsonReader(byte[] input) {
    this.text = new String(input, UTF_8);
  }

  ConfigNode document() {
    ConfigNode root = value();
    skipBlanks();
    if (pos < text.length()) {
      throw wrong("More text follows the JSON object.");
    }
    return root;
  }

  private ConfigNode value() {
    skipBlanks();
    int at = line;
    if (++depth > MAX_DEPTH) {
      throw wrong("Lists and objects are nested too deeply.");
    }
    ConfigNode value =
        switch (peek()) {
          case '{' -> object();
          case '[' -> array();
          case '"' -> new Text(string(), at);
          case 't' -> word("true", new Truth(true, at));
          case 'f' -> word("false", new Truth(false, at));
          case 'n' -> word("null", new Nothing(at));
          default -> number();
        };
    depth--;
    return value;
  }

  private ConfigNode object() {
    int at = line;
    var fields = new ArrayList<Field>();
    pos++;
    skipBlanks();
    while (peek() != '}') {
      int nameLine = line;
      if (peek() != '"') {
        throw wrong("A field name in double quotes was expected.");
      }
      String name = string();
      skipBlanks();
      require(':');
      fields.add(new Field(name, value(), nameLine));
      skipBlanks();
      if (peek() != '}') {
        require(',');
        skipBlanks();
        refuseEnd('}');
      }
    }
    pos++;
    return new Mapping(fields, at);
  }

  private ConfigNode array() {
    int at = line;
    var items = new ArrayList<ConfigNode>();
    pos++;
    skipBlanks();
    while (peek() != ']') {
      items.add(value());
      skipBlanks();
      if (peek() != ']') {
        require(',');
        skipBlanks();
        refuseEnd(']');
      }
    }
    pos++;
    return new Listing(items, at);
  }

  private void refuseEnd(char end) {
    if (peek() == end) {
      throw wrong("JSON does not allow a comma before the end of a list or object.");
    }
  }

  private String string() {
    var string = new StringBuilder();
    pos++;
    while (peek() != '"') {
      char c = peek();
      if (c < ' ') {
        throw wrong("A JSON text has no end, or contains a control character.");
      }
      pos++;
      string.append(c == '\\' ? escape() : c);
    }
    pos++;
    return wellFormed(string);
  }

  private char escape() {
    char c = peek();
    pos++;
    return switch (c) {
      case '"', '\\', '/' -> c;
      case 'b' -> '\b';
      case 'f' -> '\f';
      case 'n' -> '\n';
      case 'r' -> '\r';
      case 't' -> '\t';
      case 'u' -> {
        int value = 0;
        for (int i = 0; i < 4; i++) {
          char digit = peek();
          if (!Characters.isHex(digit)) {
            throw wrong("A JSON text contains an invalid escape.");
          }
          value = (value << 4) + Character.digit(digit, 16);
          pos++;
        }
        yield (char) value;
      }
      default -> throw wrong("A JSON text contains an invalid escape.");
    };
  }

  /// Half of a surrogate pair becomes U+FFFD, as in Go.
  private static String wellFormed(StringBuilder text) {
    for (int i = 0; i < text.length(); i++) {
      char c = text.charAt(i);
      if (Character.isHighSurrogate(c)
          && i + 1 < text.length()
          && Character.isLowSurrogate(text.charAt(i + 1))) {
        i++;
      } else if (Character.isSurrogate(c)) {
        text.setCharAt(i, '\uFFFD');
      }
    }
    return text.toString();
  }

  private ConfigNode number() {
    int start = pos;
    if (peek() == '-') {
      pos++;
    }
    if (peek() == '0') {
      pos++;
    } else {
      digits();
    }
    if (peek() == '.') {
      pos++;
      digits();
    }
    if (peek() == 'e' || peek() == 'E') {
      pos++;
      if (peek() == '+' || peek() == '-') {
        pos++;
      }
      digits();
    }
    return new Numeral(text.substring(start, pos), line);
  }

  private void digits() {
    if (!Characters.isDigit(peek())) {
      throw wrong("A JSON value was expected.");
    }
    while (Characters.isDigit(peek())) {
      pos++;
    }
  }

  private ConfigNode word(String word, ConfigNode value) {
    if (!text.startsWith(word, pos)) {
      throw wrong("A JSON value was expected.");
    }
    pos += word.length();
    return value;
  }

  private void require(char expected) {
    if (peek() != expected) {
      throw wrong("A '" + expected + "' was expected.");
    }
    pos++;
  }

  private char peek() {
    return pos < text.length() ? text.charAt(pos) : 0;
  }

  private void skipBlanks() {
    while (pos < text.length() && " \t\r\n".indexOf(text.charAt(pos)) >= 0) {
      line += text.charAt(pos) == '\n' ? 1 : 0;
      pos++;
    }
  }

  private SyntaxException wrong(String problem) {
    return new SyntaxException(problem, line);
  }
}
