package io.keyward.storage.config.text;

import static io.keyward.storage.config.text.Characters.isBlank;
import static io.keyward.storage.config.text.Characters.isBlankOrEnd;
import static io.keyward.storage.config.text.Characters.isBreak;
import static io.keyward.storage.config.text.Characters.isBreakOrEnd;

import java.util.ArrayList;
import java.util.List;

/// Characters to tokens. Tokens are made only when the parser asks for them, as in go-yaml.
final class TokenScanner {
  private static final int MAX_LEVELS = 10_000;

  private final CharacterReader reader;
  private final ScalarScanner scalars;
  private final TagScanner tags;
  private final SimpleKeys keys = new SimpleKeys();
  private final List<Token> queue = new ArrayList<>();
  private final List<Integer> indents = new ArrayList<>();
  private int head;
  private int taken;
  private int flowLevel;
  private int indent = -1;
  private boolean available;
  private boolean keyAllowed = true;
  private boolean started;

  TokenScanner(CharacterReader reader) {
    this.reader = reader;
    this.scalars = new ScalarScanner(reader);
    this.tags = new TagScanner(reader);
  }

  Token peek() {
    while (!available) {
      if (head != queue.size() && !keys.mayStartAt(taken, reader.mark())) {
        available = true;
      } else {
        fetch();
      }
    }
    return queue.get(head);
  }

  void skip() {
    available = false;
    taken++;
    head++;
    if (head == queue.size()) {
      queue.clear();
      head = 0;
    }
  }

  void skip(TokenType expected) {
    require(expected, "The document does not start as YAML does.");
  }

  Token take() {
    Token token = peek();
    skip();
    return token;
  }

  boolean skipIf(TokenType type) {
    if (peek().type() != type) {
      return false;
    }
    skip();
    return true;
  }

  void require(TokenType type, String problem) {
    if (!skipIf(type)) {
      throw new SyntaxException(problem, peek().line());
    }
  }

  private void fetch() {
    reader.ensure(1);
    if (!started) {
      started = true;
      keys.push(0, reader.mark());
      append(TokenType.STREAM_START, reader.mark());
      return;
    }
    skipToToken();
    unrollIndent(reader.column());
    reader.ensure(4);
    int c = reader.peek();
    if (c == 0) {
      fetchStreamEnd();
    } else if (reader.column() == 0 && c == '%') {
      resetLine();
      queue.add(tags.directive());
    } else if (reader.column() == 0 && isDocumentIndicator(reader)) {
      resetLine();
      append(c == '-' ? TokenType.DOCUMENT_START : TokenType.DOCUMENT_END, reader.mark());
      reader.skip();
      reader.skip();
      reader.skip();
    } else {
      fetchIndicator(c);
    }
  }

  static boolean isDocumentIndicator(CharacterReader reader) {
    int c = reader.peek();
    return (c == '-' || c == '.')
        && reader.peek(1) == c
        && reader.peek(2) == c
        && isBlankOrEnd(reader.peek(3));
  }

  private void fetchIndicator(int c) {
    boolean blankFollows = isBlankOrEnd(reader.peek(1));
    boolean inFlow = flowLevel > 0;
    switch (c) {
      case '[' -> flowStart(TokenType.FLOW_SEQUENCE_START);
      case '{' -> flowStart(TokenType.FLOW_MAPPING_START);
      case ']' -> flowEnd(TokenType.FLOW_SEQUENCE_END);
      case '}' -> flowEnd(TokenType.FLOW_MAPPING_END);
      case ',' -> {
        keys.remove(reader.mark());
        keyAllowed = true;
        indicator(TokenType.FLOW_ENTRY);
      }
      case '*' -> property(TokenType.ALIAS);
      case '&' -> property(TokenType.ANCHOR);
      case '!' -> property(TokenType.TAG);
      case '\'', '"' -> {
        saveKey();
        keyAllowed = false;
        queue.add(scalars.quoted(c == '\''));
      }
      default -> {
        if (c == '-' && blankFollows) {
          blockEntry();
        } else if (c == '?' && (inFlow || blankFollows)) {
          key();
        } else if (c == ':' && (inFlow || blankFollows)) {
          value();
        } else if ((c == '|' || c == '>') && !inFlow) {
          keys.remove(reader.mark());
          keyAllowed = true;
          queue.add(scalars.block(c == '|', indent));
        } else if (startsPlain(c)) {
          plain();
        } else {
          throw wrong("No value can start with this character.");
        }
      }
    }
  }

  /// The scanner comes here only with what no indicator claimed.
  private boolean startsPlain(int c) {
    if (c == '-') {
      return !isBlank(reader.peek(1));
    }
    if (c == '?' || c == ':') {
      return flowLevel == 0 && !isBlankOrEnd(reader.peek(1));
    }
    return !isBlankOrEnd(c) && "#|>%@`".indexOf(c) < 0;
  }

  private void plain() {
    saveKey();
    keyAllowed = false;
    ScalarScanner.Plain plain = scalars.plain(indent, flowLevel > 0);
    queue.add(plain.token());
    if (plain.endedOnNewLine()) {
      keyAllowed = true;
    }
  }

  private void property(TokenType type) {
    saveKey();
    keyAllowed = false;
    queue.add(type == TokenType.TAG ? tags.tag() : tags.anchor(type));
  }

  private void flowStart(TokenType type) {
    saveKey();
    keys.push(nextToken(), reader.mark());
    if (++flowLevel > MAX_LEVELS) {
      throw wrong("Lists and objects are nested too deeply.");
    }
    keyAllowed = true;
    indicator(type);
  }

  private void flowEnd(TokenType type) {
    keys.remove(reader.mark());
    if (flowLevel > 0) {
      flowLevel--;
      keys.pop();
    }
    keyAllowed = false;
    indicator(type);
  }

  private void blockEntry() {
    if (flowLevel == 0) {
      requireKeyAllowed("A list entry is not allowed here.");
      rollIndent(reader.column(), -1, TokenType.BLOCK_SEQUENCE_START, reader.mark());
    }
    keys.remove(reader.mark());
    keyAllowed = true;
    indicator(TokenType.BLOCK_ENTRY);
  }

  private void key() {
    if (flowLevel == 0) {
      requireKeyAllowed("A key is not allowed here.");
      rollIndent(reader.column(), -1, TokenType.BLOCK_MAPPING_START, reader.mark());
    }
    keys.remove(reader.mark());
    keyAllowed = flowLevel == 0;
    indicator(TokenType.KEY);
  }

  private void value() {
    if (keys.topIsValid(reader.mark())) {
      SimpleKeys.Key key = keys.top();
      insert(key.token() - taken, Token.of(TokenType.KEY, key.mark()));
      rollIndent(key.mark().column(), key.token(), TokenType.BLOCK_MAPPING_START, key.mark());
      keys.forget();
      keyAllowed = false;
    } else {
      if (flowLevel == 0) {
        requireKeyAllowed("A value with ':' is not allowed here.");
        rollIndent(reader.column(), -1, TokenType.BLOCK_MAPPING_START, reader.mark());
      }
      keyAllowed = flowLevel == 0;
    }
    indicator(TokenType.VALUE);
  }

  private void requireKeyAllowed(String problem) {
    if (!keyAllowed) {
      throw wrong(problem);
    }
  }

  private void indicator(TokenType type) {
    append(type, reader.mark());
    reader.skip();
  }

  private void fetchStreamEnd() {
    if (reader.column() != 0) {
      reader.newLine();
    }
    resetLine();
    append(TokenType.STREAM_END, reader.mark());
  }

  private void resetLine() {
    unrollIndent(-1);
    keys.remove(reader.mark());
    keyAllowed = false;
  }

  private void saveKey() {
    if (keyAllowed) {
      boolean required = flowLevel == 0 && indent == reader.column();
      Mark now = reader.mark();
      keys.save(new SimpleKeys.Key(true, required, nextToken(), now), now);
    }
  }

  private int nextToken() {
    return taken + queue.size() - head;
  }

  private void rollIndent(int column, int number, TokenType type, Mark mark) {
    if (flowLevel > 0 || indent >= column) {
      return;
    }
    indents.add(indent);
    indent = column;
    if (indents.size() > MAX_LEVELS) {
      throw wrong("Lists and objects are nested too deeply.");
    }
    insert(number < 0 ? number : number - taken, Token.of(type, mark));
  }

  private void unrollIndent(int column) {
    while (flowLevel == 0 && indent > column) {
      append(TokenType.BLOCK_END, reader.mark());
      indent = indents.removeLast();
    }
  }

  private void append(TokenType type, Mark mark) {
    queue.add(Token.of(type, mark));
  }

  private void insert(int place, Token token) {
    if (place < 0) {
      queue.add(token);
    } else {
      queue.add(head + place, token);
    }
  }

  /// Tabs may separate, but not indent: not where a key may start.
  private void skipToToken() {
    while (true) {
      reader.ensure(1);
      if (reader.column() == 0 && reader.atBom()) {
        reader.skip();
      }
      reader.ensure(1);
      while (reader.peek() == ' ' || ((flowLevel > 0 || !keyAllowed) && reader.peek() == '\t')) {
        reader.skip();
        reader.ensure(1);
      }
      if (reader.peek() == '#') {
        while (!isBreakOrEnd(reader.peek())) {
          reader.skip();
          reader.ensure(1);
        }
      }
      if (!isBreak(reader.peek())) {
        return;
      }
      reader.ensure(2);
      reader.readBreak();
      if (flowLevel == 0) {
        keyAllowed = true;
      }
    }
  }

  private SyntaxException wrong(String problem) {
    return new SyntaxException(problem, reader.mark().line() + 1);
  }
}
