package io.keyward.storage.config.text;

import io.keyward.storage.config.text.YamlNode.Alias;
import io.keyward.storage.config.text.YamlNode.Mapping;
import io.keyward.storage.config.text.YamlNode.Pair;
import io.keyward.storage.config.text.YamlNode.Scalar;
import io.keyward.storage.config.text.YamlNode.Sequence;
import java.util.EnumSet;
import java.util.HashMap;
import java.util.Map;
import java.util.Optional;
import java.util.Set;

/// Tokens to the tree of the first document. kube-apiserver ignores the documents behind it.
final class NodeParser {
  /// A configuration nests seven deep; only merged mappings may nest deeper and still be accepted.
  private static final int MAX_DEPTH = 500;

  private static final Set<TokenType> DOCUMENT_ENDS =
      EnumSet.of(
          TokenType.VERSION_DIRECTIVE,
          TokenType.TAG_DIRECTIVE,
          TokenType.DOCUMENT_START,
          TokenType.DOCUMENT_END,
          TokenType.STREAM_END);
  private static final Set<TokenType> ENTRY_ENDS =
      EnumSet.of(TokenType.BLOCK_ENTRY, TokenType.BLOCK_END);
  private static final Set<TokenType> INDENTLESS_ENDS =
      EnumSet.of(TokenType.BLOCK_ENTRY, TokenType.KEY, TokenType.VALUE, TokenType.BLOCK_END);
  private static final Set<TokenType> BLOCK_PAIR_ENDS =
      EnumSet.of(TokenType.KEY, TokenType.VALUE, TokenType.BLOCK_END);

  private final TokenScanner tokens;
  private final TagHandles handles;
  private final Map<String, YamlNode> anchors = new HashMap<>();
  private int depth;

  NodeParser(byte[] input) {
    this.tokens = new TokenScanner(new CharacterReader(input));
    this.handles = new TagHandles(tokens);
  }

  /// Empty if there is no document at all.
  Optional<YamlNode> document() {
    tokens.skip(TokenType.STREAM_START);
    Token first = tokens.peek();
    if (first.type() == TokenType.STREAM_END) {
      return Optional.empty();
    }
    boolean explicit = handles.read();
    YamlNode root =
        explicit && DOCUMENT_ENDS.contains(tokens.peek().type())
            ? Scalar.empty(tokens.peek().line())
            : node(true, false);
    if (tokens.peek().type() == TokenType.DOCUMENT_END) {
      tokens.skip();
    }
    return Optional.of(root);
  }

  private YamlNode node(boolean block, boolean indentless) {
    Token token = tokens.peek();
    if (token.type() == TokenType.ALIAS) {
      tokens.skip();
      return new Alias(anchored(token), token.line());
    }
    String anchor = "";
    String tag = "";
    if (token.type() == TokenType.ANCHOR) {
      anchor = tokens.take().value();
      tag = optionalTag();
    } else if (token.type() == TokenType.TAG) {
      tag = optionalTag();
      anchor = tokens.peek().type() == TokenType.ANCHOR ? tokens.take().value() : "";
    }
    return content(block, indentless, anchor, tag);
  }

  private YamlNode anchored(Token alias) {
    YamlNode target = anchors.get(alias.value());
    if (target == null) {
      throw new SyntaxException("An alias names an anchor that does not exist.", alias.line());
    }
    return target;
  }

  private String optionalTag() {
    return tokens.peek().type() == TokenType.TAG ? handles.resolve(tokens.take()) : "";
  }

  private YamlNode content(boolean block, boolean indentless, String anchor, String tag) {
    Token token = tokens.peek();
    int line = token.line();
    if (++depth > MAX_DEPTH) {
      throw new SyntaxException("Lists and objects are nested too deeply.", line);
    }
    YamlNode node =
        switch (token.type()) {
          case SCALAR -> {
            tokens.skip();
            boolean implicit = (tag.isEmpty() && token.plain()) || tag.equals("!");
            yield anchor(anchor, new Scalar(token.value(), tag, implicit, line));
          }
          case FLOW_SEQUENCE_START -> flowSequence(anchor(anchor, new Sequence(line)));
          case FLOW_MAPPING_START -> flowMapping(anchor(anchor, new Mapping(line)));
          default -> blockContent(block, indentless, anchor, tag);
        };
    depth--;
    return node;
  }

  private YamlNode blockContent(boolean block, boolean indentless, String anchor, String tag) {
    TokenType type = tokens.peek().type();
    int line = tokens.peek().line();
    if (indentless && type == TokenType.BLOCK_ENTRY) {
      return indentlessSequence(anchor(anchor, new Sequence(line)));
    }
    if (block && type == TokenType.BLOCK_SEQUENCE_START) {
      return blockSequence(anchor(anchor, new Sequence(line)));
    }
    if (block && type == TokenType.BLOCK_MAPPING_START) {
      return blockMapping(anchor(anchor, new Mapping(line)));
    }
    if (anchor.isEmpty() && tag.isEmpty()) {
      throw new SyntaxException("A value is missing or not complete.", line);
    }
    return anchor(anchor, new Scalar("", tag, tag.isEmpty(), line));
  }

  private <T extends YamlNode> T anchor(String name, T node) {
    if (!name.isEmpty()) {
      anchors.put(name, node);
    }
    return node;
  }

  private Sequence blockSequence(Sequence sequence) {
    tokens.skip();
    while (tokens.skipIf(TokenType.BLOCK_ENTRY)) {
      sequence.items().add(nodeOrEmpty(ENTRY_ENDS, true, false));
    }
    tokens.require(TokenType.BLOCK_END, "A list entry with '-' was expected.");
    return sequence;
  }

  private Sequence indentlessSequence(Sequence sequence) {
    while (tokens.skipIf(TokenType.BLOCK_ENTRY)) {
      sequence.items().add(nodeOrEmpty(INDENTLESS_ENDS, true, false));
    }
    return sequence;
  }

  private Mapping blockMapping(Mapping mapping) {
    tokens.skip();
    while (tokens.skipIf(TokenType.KEY)) {
      YamlNode key = nodeOrEmpty(BLOCK_PAIR_ENDS, true, true);
      YamlNode value =
          tokens.skipIf(TokenType.VALUE) ? nodeOrEmpty(BLOCK_PAIR_ENDS, true, true) : empty();
      mapping.pairs().add(new Pair(key, value));
    }
    tokens.require(TokenType.BLOCK_END, "A key was expected.");
    return mapping;
  }

  private Sequence flowSequence(Sequence sequence) {
    tokens.skip();
    Set<TokenType> ends = EnumSet.of(TokenType.FLOW_ENTRY, TokenType.FLOW_SEQUENCE_END);
    boolean first = true;
    while (flowEntryFollows(TokenType.FLOW_SEQUENCE_END, first)) {
      first = false;
      if (tokens.peek().type() == TokenType.KEY) {
        sequence.items().add(pairInSequence(ends));
      } else {
        sequence.items().add(node(false, false));
      }
    }
    return sequence;
  }

  /// `[a: b]`. go-yaml loses the token behind a `?` without a key.
  private Mapping pairInSequence(Set<TokenType> ends) {
    var mapping = new Mapping(tokens.take().line());
    TokenType next = tokens.peek().type();
    YamlNode key;
    if (next == TokenType.VALUE || ends.contains(next)) {
      key = empty();
      tokens.skip();
    } else {
      key = node(false, false);
    }
    YamlNode value = tokens.skipIf(TokenType.VALUE) ? nodeOrEmpty(ends, false, false) : empty();
    mapping.pairs().add(new Pair(key, value));
    return mapping;
  }

  private Mapping flowMapping(Mapping mapping) {
    tokens.skip();
    Set<TokenType> ends = EnumSet.of(TokenType.FLOW_ENTRY, TokenType.FLOW_MAPPING_END);
    Set<TokenType> keyEnds =
        EnumSet.of(TokenType.VALUE, TokenType.FLOW_ENTRY, TokenType.FLOW_MAPPING_END);
    boolean first = true;
    while (flowEntryFollows(TokenType.FLOW_MAPPING_END, first)) {
      first = false;
      if (tokens.skipIf(TokenType.KEY)) {
        YamlNode key = nodeOrEmpty(keyEnds, false, false);
        YamlNode value = tokens.skipIf(TokenType.VALUE) ? nodeOrEmpty(ends, false, false) : empty();
        mapping.pairs().add(new Pair(key, value));
      } else {
        mapping.pairs().add(new Pair(node(false, false), empty()));
      }
    }
    return mapping;
  }

  /// Skips the comma before an entry, or the end of the collection. A comma may stand before the
  /// end.
  private boolean flowEntryFollows(TokenType end, boolean first) {
    if (tokens.skipIf(end)) {
      return false;
    }
    if (!first) {
      tokens.require(TokenType.FLOW_ENTRY, "A ',' or the end of a list or object was expected.");
    }
    return !tokens.skipIf(end);
  }

  private YamlNode nodeOrEmpty(Set<TokenType> ends, boolean block, boolean indentless) {
    return ends.contains(tokens.peek().type()) ? empty() : node(block, indentless);
  }

  private YamlNode empty() {
    return Scalar.empty(tokens.peek().line());
  }
}
