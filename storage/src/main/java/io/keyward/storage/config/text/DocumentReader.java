package io.keyward.storage.config.text;

import static java.nio.charset.StandardCharsets.UTF_8;

import java.util.Optional;

/// Decides as kube-apiserver whether a document is JSON or YAML, and reads it.
public final class DocumentReader {
  private DocumentReader() {}

  /// Empty if there is no document: only comments and blanks.
  ///
  /// @throws SyntaxException if kube-apiserver could not read it either
  public static Optional<ConfigNode> read(byte[] document) {
    if (startsWithBrace(document)) {
      return Optional.of(new JsonReader(document).document());
    }
    return new NodeParser(document).document().map(root -> new YamlDecoder().decode(root));
  }

  /// kube-apiserver skips all that Unicode calls white space, which is more than JSON allows.
  private static boolean startsWithBrace(byte[] document) {
    int first = 0;
    while (first < document.length && document[first] > 0 && isGoSpace(document[first])) {
      first++;
    }
    if (first == document.length || document[first] >= 0) {
      return first < document.length && document[first] == '{';
    }
    return new String(document, first, document.length - first, UTF_8)
        .codePoints()
        .filter(c -> !isGoSpace(c))
        .limit(1)
        .anyMatch(c -> c == '{');
  }

  private static boolean isGoSpace(int c) {
    return (c >= '\t' && c <= '\r')
        || c == ' '
        || c == 0x85
        || c == 0xA0
        || c == 0x1680
        || (c >= 0x2000 && c <= 0x200A)
        || c == 0x2028
        || c == 0x2029
        || c == 0x202F
        || c == 0x205F
        || c == 0x3000;
  }
}
