package io.keyward.etcd.bolt;

/// The file as a whole cannot be read. Damage inside it is a [PageProblem] instead.
public final class BoltException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// What is wrong, in words for people.
  public enum Kind {
    TOO_SHORT("too short to be an etcd database"),
    NOT_BOLT("not an etcd database: the magic number is missing on both meta pages"),
    BAD_META("both meta pages are damaged: their checksums do not match"),
    UNKNOWN_VERSION("an etcd database of a format version that is not known");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private final Kind kind;

  public BoltException(Kind kind) {
    super(kind.words);
    this.kind = kind;
  }

  public Kind kind() {
    return kind;
  }
}
