package io.keyward.storage.config.text;

import java.util.HashMap;
import java.util.Map;

/// The directives of a document, and what the handles of tags stand for.
final class TagHandles {
  private final TokenScanner tokens;
  private final Map<String, String> prefixes = new HashMap<>();

  TagHandles(TokenScanner tokens) {
    this.tokens = tokens;
  }

  /// Reads up to `---` and returns whether it is there. It may be missing if no directive is there.
  boolean read() {
    boolean version = false;
    boolean any = false;
    while (true) {
      Token token = tokens.peek();
      if (token.type() == TokenType.VERSION_DIRECTIVE) {
        if (version || !token.value().equals("1.1")) {
          throw new SyntaxException(
              "kube-apiserver reads YAML 1.1 only.", "remove the YAML directive", token.line());
        }
        version = true;
      } else if (token.type() == TokenType.TAG_DIRECTIVE) {
        if (prefixes.putIfAbsent(token.value(), token.suffix()) != null) {
          throw new SyntaxException("A TAG directive is set twice.", token.line());
        }
      } else {
        break;
      }
      any = true;
      tokens.skip();
    }
    prefixes.putIfAbsent("!", "!");
    prefixes.putIfAbsent("!!", "tag:yaml.org,2002:");
    if (any) {
      tokens.require(TokenType.DOCUMENT_START, "The line --- is missing after a directive.");
      return true;
    }
    return tokens.skipIf(TokenType.DOCUMENT_START);
  }

  String resolve(Token tag) {
    String whole =
        tag.value().isEmpty()
            ? tag.suffix()
            : prefixes.containsKey(tag.value()) ? prefixes.get(tag.value()) + tag.suffix() : "";
    if (whole.isEmpty() && !tag.value().isEmpty()) {
      throw new SyntaxException("A tag uses a handle that is not defined.", tag.line());
    }
    return whole;
  }
}
