package io.keyward.storage.config.text;

/// A document that is neither YAML nor JSON for kube-apiserver. `problem` is a sentence without a
/// value of the document, so that no key material reaches a message.
public final class SyntaxException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  private final String remedy;
  private final int line;

  SyntaxException(String problem, int line) {
    this(problem, "check the syntax near this line", line);
  }

  SyntaxException(String problem, String remedy, int line) {
    super(problem, null, false, false);
    this.remedy = remedy;
    this.line = line;
  }

  public String problem() {
    return String.valueOf(getMessage());
  }

  public String remedy() {
    return remedy;
  }

  /// Counts from 1.
  public int line() {
    return line;
  }
}
