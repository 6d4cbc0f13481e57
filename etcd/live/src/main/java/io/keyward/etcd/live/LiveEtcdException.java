package io.keyward.etcd.live;

/// etcd did not answer as asked.
public final class LiveEtcdException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Each has its own sentence.
  public enum Kind {
    UNREACHABLE("nobody answers at this address"),
    CERTIFICATE("the certificates do not fit: etcd's, or the one shown to it"),
    DENIED("etcd wants a user, or refuses this one"),
    COMPACTED("etcd compacted the revision while it was read; try again"),
    FAILED("etcd answered with an error");

    private final String words;

    Kind(String words) {
      this.words = words;
    }
  }

  private final Kind kind;
  private final String detail;

  LiveEtcdException(Kind kind, String detail, Throwable cause) {
    super(kind.words, cause);
    this.kind = kind;
    this.detail = detail;
  }

  public Kind kind() {
    return kind;
  }

  /// What the connection or etcd said.
  public String detail() {
    return detail;
  }
}
