package io.keyward.etcd.live;

/// etcd did not answer as asked.
public final class LiveEtcdException extends RuntimeException {
  private static final long serialVersionUID = 1L;

  /// Each has its own sentence.
  public enum Kind {
    UNREACHABLE("no server responds at this address", "check address and port, and that etcd runs"),
    SPEAKS_TLS("the server closes a connection without TLS", "write https:// in place of http://"),
    SPEAKS_PLAIN("the server does not speak TLS", "check the port, or write http://"),
    CERTIFICATE_FILE(
        "a certificate or key file cannot be used", "give PEM files; keys without a passphrase"),
    UNTRUSTED("etcd's certificate is not signed by the given CA", "give etcd's CA: --etcd-ca"),
    OTHER_HOST("etcd's certificate is for another host", "use a name that the certificate has"),
    CLIENT_REFUSED(
        "etcd refuses the client certificate, or misses one",
        "give one that etcd's own CA signed: --etcd-cert, --etcd-key"),
    NO_USER("etcd wants a user and password", "give --etcd-user and --etcd-password-file"),
    WRONG_PASSWORD("etcd does not know this user with this password", "check both"),
    FORBIDDEN("this user may not read all of etcd", "grant its role read permission on every key"),
    COMPACTED("etcd compacted the revision while it was read", "try again"),
    BEHIND("this member of etcd has not caught up", "name another member too, or try again"),
    TOO_LARGE("an answer of etcd is too large, or it has too much to do", "try again"),
    FAILED("etcd answered with an error", "see etcd's log");

    private final String words;
    private final String remedy;

    Kind(String words, String remedy) {
      this.words = words;
      this.remedy = remedy;
    }

    public String remedy() {
      return remedy;
    }

    /// Whether the server may be back in a moment, or another member answer.
    boolean mayPass() {
      return this == UNREACHABLE || this == SPEAKS_TLS || this == SPEAKS_PLAIN || this == BEHIND;
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
